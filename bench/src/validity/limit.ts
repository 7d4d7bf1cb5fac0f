import { type Held, heldOf } from '../figures/throttling.ts';
import { targetOf } from '../record/record.ts';
import type { CellContext } from './context.ts';
import { THROTTLED_PERIODS } from './thresholds.ts';

export interface ThrottledFlag extends Held {
  code: 'THROTTLED';
  /** The limit. */
  cores: number;
}

/** Whether its own CPU limit held the server back, often enough for a p99 to show it. */
export function throttled({ record, cell, slices }: CellContext): ThrottledFlag | null {
  const { cpuLimit } = targetOf(record, cell.target);
  const held = heldOf(slices);
  if (cpuLimit === null || held === null || held.periodsShare < THROTTLED_PERIODS) return null;
  return { code: 'THROTTLED', cores: cpuLimit, ...held };
}
