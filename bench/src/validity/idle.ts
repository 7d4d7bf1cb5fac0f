import { sum } from '../figures/figures.ts';
import type { CellContext } from './context.ts';
import { IDLE_SHARE } from './thresholds.ts';

export interface NotQuietFlag {
  code: 'NOT_QUIET';
  /** Slices after which it was still busy when nobody waited any longer. */
  busy: number;
  slices: number;
}

/** Whether the server still used CPU time long after the last request, so that some of its work may be missing. */
export function notQuiet({ slices }: CellContext): NotQuietFlag | null {
  const busy = slices.filter(({ measurement }) => measurement.isQuiet === false).length;
  return busy > 0 ? { code: 'NOT_QUIET', busy, slices: slices.length } : null;
}

export interface IdleUseFlag {
  code: 'IDLE_USE';
  /** What it uses while nobody asks for anything, in the time that it was measured, over all that it used then. */
  share: number;
}

/** Whether what comes off for idle use is much of what the server used. */
export function idleUse({ slices }: CellContext): IdleUseFlag | null {
  const blocks = slices.flatMap(({ measurement: { blocks: all, idleNsPerS } }) => {
    return all.map(({ chargedNs, ns }) => ({ chargedNs, idleNs: (idleNsPerS * ns) / 1e9 }));
  });
  const share = sum(blocks, ({ idleNs }) => idleNs) / sum(blocks, ({ chargedNs }) => chargedNs);
  return share > IDLE_SHARE ? { code: 'IDLE_USE', share } : null;
}
