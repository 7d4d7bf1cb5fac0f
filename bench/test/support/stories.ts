import type { Cell } from '../../src/plan/plan.ts';
import type { Failure } from '../../src/record/record.ts';
import type { Happened, Story } from './make-record.ts';

/** A story in which the cells of which this is true have something otherwise; null where nothing reaches them. */
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

/** These servers failed in each of the first three launches. */
export function diedThrice(...servers: string[]): Failure[] {
  return servers.flatMap((server) => {
    return [0, 1, 2].map((launch): Failure => {
      return { server, launch, when: 'slice', message: 'gone', logTail: [], died: true };
    });
  });
}
