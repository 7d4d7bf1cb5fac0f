import type { RunEvents } from '../../src/run/context.ts';

/** Event handlers of a run that do nothing, and never end it. */
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
