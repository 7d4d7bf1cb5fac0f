import { throttlingShares } from '../figures/throttling.ts';
import { targetOf } from '../record/record.ts';
import type { CellContext } from './context.ts';
import { THROTTLED_PERIODS } from './thresholds.ts';

/** Whether its own CPU limit held the server back, often enough for a p99 to show it. */
export function throttled({ record, cell, slices }: CellContext) {
  const { cpuLimit } = targetOf(record, cell.target);
  const held = throttlingShares(slices);
  if (cpuLimit === null || held === null || held.periodsShare < THROTTLED_PERIODS) return null;
  return { code: 'THROTTLED' as const, cores: cpuLimit, ...held };
}
