import { max, median } from 'simple-statistics';
import type { RunRecord } from '../record/record.ts';

/** A server over all its starts. */
export type StartSummary = ReturnType<typeof summarizeStarts>[number];

/** Every server that was started, in the order of the plan. */
export function summarizeStarts({ plan, starts }: RunRecord) {
  const servers = new Set(plan.cells.map(({ server }) => server));
  return [...servers].flatMap((server) => {
    const own = starts.filter((start) => start.server === server);
    if (own.length === 0) return [];
    /** Until the first correct answer, ns; null if unknown. */
    const answer = spreadOf(own.flatMap(({ startNs }) => startNs ?? []));
    /** Of its processes, before any load, bytes. */
    const memory = spreadOf(own.map(({ bytes }) => bytes));
    return [{ server, starts: own.length, answer, memory }];
  });
}

/** The typical and the worst value. */
function spreadOf(values: number[]) {
  return values.length === 0 ? null : { median: median(values), worst: max(values) };
}
