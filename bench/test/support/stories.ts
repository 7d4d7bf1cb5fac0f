import type { Cell } from '../../src/plan/plan.ts';
import type { Failure } from '../../src/record/record.ts';
import { failuresOf } from './failures.ts';
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

/** Failures of these servers in each of the first three launches. */
export function diedThrice(...servers: string[]): Failure[] {
  return servers.flatMap((server) => failuresOf(server));
}
