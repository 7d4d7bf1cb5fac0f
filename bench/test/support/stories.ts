import type { Cell } from '../../src/plan/plan.ts';
import type { Happened, Story } from './make-record.ts';

/** A story that differs in some cells; with null, these have no slices. */
export function otherwise(
  usual: Story,
  isIt: (cell: Cell) => boolean,
  other: Happened | null,
): Story {
  return (cell, ...when) => {
    const happened = usual(cell, ...when);
    if (!isIt(cell)) return happened;
    return other && { ...happened, ...other };
  };
}
