import { max, median } from 'simple-statistics';
import { sum } from '../figures/figures.ts';
import { cellOf, longestWarmupNs } from '../plan/plan.ts';
import type { RunRecord } from '../record/record.ts';

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

function spreadOf(values: number[]) {
  return values.length === 0 ? null : { median: median(values), worst: max(values) };
}

/** The warm-ups in which it was observed whether the server had settled; none where nothing was warmed up. */
export function summarizeWarmups(record: RunRecord) {
  const starts = startsOf(record);
  const settled = starts.filter(({ hasSettled }) => hasSettled);
  const capped = starts.filter(({ hasSettled }) => !hasSettled);
  const ns = settled.map((start) => start.ns);
  const requests = settled.map((start) => start.requests);
  const servers = [...new Set(capped.map(({ server }) => server))];
  const capNs = longestWarmupNs(record.plan);
  return {
    /** Servers started and warmed up, over all launches. */
    starts: starts.length,
    /** What the median start that settled took; null if none did. */
    settled: settled.length > 0 ? { ns: median(ns), requests: median(requests) } : null,
    /** Starts that had not settled when their time was up. */
    capped: capped.length > 0 ? { starts: capped.length, capNs, servers } : null,
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

/** A service, over all its launches. */
export type ServiceState = ReturnType<typeof summarizeServices>[number];

export function summarizeServices({ plan, services }: RunRecord) {
  return plan.services.map(({ name, cores }) => {
    const runs = services.filter((run) => run.name === name);
    const versions = [...new Set(runs.map(({ version }) => version))];
    const idle = runs.map(({ idleNsPerS }) => idleNsPerS);
    /** CPU time per second without load, ns, in the median launch; null if it could not be measured. */
    const idleNsPerS = idle.length === 0 ? null : median(idle);
    return { name, cores, versions, idleNsPerS };
  });
}
