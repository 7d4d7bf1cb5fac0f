import { median } from 'simple-statistics';
import { sum } from '../figures/figures.ts';
import { cellOf } from '../plan/plan.ts';
import type { RunRecord } from '../record/record.ts';

/** The warm-ups of a run; null if it was not observed whether servers settle, or nothing was warmed up. */
export function summarizeWarmups(record: RunRecord) {
  const { warmup } = record.plan;
  const starts = startsOf(record);
  if (warmup.kind !== 'settled' || starts.length === 0) return null;
  const settled = starts.filter(({ hasSettled }) => hasSettled);
  const capped = starts.filter(({ hasSettled }) => !hasSettled);
  const ns = settled.map((start) => start.ns);
  const requests = settled.map((start) => start.requests);
  const servers = [...new Set(capped.map(({ server }) => server))];
  return {
    /** Servers started and warmed up, over all launches. */
    starts: starts.length,
    /** What the median start that settled took; null if none did. */
    settled: settled.length > 0 ? { ns: median(ns), requests: median(requests) } : null,
    /** Starts that had not settled when their time was up. */
    capped: capped.length > 0 ? { starts: capped.length, capNs: warmup.capNs, servers } : null,
  };
}

/** Servers warmed up on their own, and those among others, in blocks that were not counted. */
function startsOf({ plan, warmups, slices }: RunRecord) {
  const alone = warmups.map(({ server, ns, outcome, batches }) => {
    const requests = sum(batches, ({ answers }) => answers);
    return { server, hasSettled: outcome === 'settled', ns, requests };
  });
  const among = slices.flatMap(({ cell, measurement: { leadIn } }) => {
    const { hasSettled, ns, answers: requests } = leadIn;
    if (hasSettled === null) return [];
    return [{ server: cellOf(plan, cell).server, hasSettled, ns, requests }];
  });
  return [...alone, ...among];
}
