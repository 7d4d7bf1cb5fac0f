import type { RunEvents } from '../../src/run/context.ts';

/** Events of a run that nobody listens to, and that nobody ends. */
export const UNHEARD: RunEvents = {
  onLaunch: () => {},
  onStep: () => {},
  onFailure: () => {},
  onExposed: () => {},
  onOtherRuns: () => {},
  onRepeat: () => {},
  onServiceFailure: () => {},
  onGenerators: () => {},
  onRound: async () => {},
  onProfile: async () => {},
  wantsAnother: () => false,
  soon: new AbortController().signal,
  now: new AbortController().signal,
};
