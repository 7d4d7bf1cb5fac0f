import { sum } from '../figures/figures.ts';
import type { CellContext } from './context.ts';
import { IDLE_SHARE } from './thresholds.ts';

/** Whether the server still used CPU time long after the last request, so that some of its work may be missing. */
export function notQuiet({ slices }: CellContext) {
  const busy = slices.filter(({ measurement }) => measurement.isQuiet === false).length;
  return busy > 0 ? { code: 'NOT_QUIET' as const, busy, slices: slices.length } : null;
}

/** Whether what comes off for idle use is much of what the server used. */
export function idleUse({ slices }: CellContext) {
  const blocks = slices.flatMap(({ measurement: { blocks: all, idleNsPerS } }) => {
    return all.map(({ chargedNs, ns }) => ({ chargedNs, idleNs: (idleNsPerS * ns) / 1e9 }));
  });
  const share = sum(blocks, ({ idleNs }) => idleNs) / sum(blocks, ({ chargedNs }) => chargedNs);
  return share > IDLE_SHARE ? { code: 'IDLE_USE' as const, share } : null;
}
