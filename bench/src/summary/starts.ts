import { max, median } from 'simple-statistics';
import type { RunRecord } from '../record/record.ts';

/** A server over all its starts. */
export interface StartSummary {
  server: string;
  starts: number;
  /** Until the first right answer, ns; null where nobody knows. */
  answer: Spread | null;
  /** Of its processes, before any load, bytes. */
  memory: Spread | null;
}

/** What is usual, and what is to be reckoned with. */
interface Spread {
  median: number;
  worst: number;
}

/** Every server that was started, in the order of the plan. */
export function summarizeStarts({ plan, starts }: RunRecord): StartSummary[] {
  const servers = new Set(plan.cells.map(({ server }) => server));
  return [...servers].flatMap((server): StartSummary[] => {
    const own = starts.filter((start) => start.server === server);
    if (own.length === 0) return [];
    return [
      {
        ...{ server, starts: own.length },
        answer: spreadOf(own.flatMap(({ startNs }) => startNs ?? [])),
        memory: spreadOf(own.map(({ bytes }) => bytes)),
      },
    ];
  });
}

function spreadOf(values: number[]): Spread | null {
  return values.length === 0 ? null : { median: median(values), worst: max(values) };
}
