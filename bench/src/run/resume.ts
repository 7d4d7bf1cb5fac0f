import { drawLaunch } from '../plan/draw.ts';
import { cellOf, type Plan } from '../plan/plan.ts';
import type { Observations, RunRecord } from '../record/record.ts';
import { failedServers } from './steps.ts';

/** How many launches of a record are whole, from the first: each of their slices was taken, or its server failed. */
export function wholeLaunches(record: RunRecord): number {
  const { plan, slices, failures, serviceFailures } = record;
  const taken = new Set(slices.map(({ launch, round, cell }) => `${launch} ${round} ${cell}`));
  const givenUp = failedServers(record);
  const isLost = (server: string, launch: number) =>
    givenUp.has(server) ||
    failures.some((failure) => failure.launch === launch && failure.server === server) ||
    serviceFailures.some((each) => each.launch === launch && each.servers.includes(server));
  const partial = plan.launches.findIndex((groups, launch) => {
    const rounds = groups.flatMap((group) => [...group.rounds.entries()]);
    return rounds.some(([round, ids]) => {
      const isDone = (id: string) => taken.has(`${launch} ${round} ${id}`);
      return ids.some((id) => !isDone(id) && !isLost(cellOf(plan, id).server, launch));
    });
  });
  return partial === -1 ? plan.launches.length : partial;
}

/**
 * The record with which a run continues a saved one, with all that was seen in whole launches; `fresh` is the one that
 * it would begin with.
 */
export function resumed(saved: RunRecord, fresh: RunRecord): RunRecord {
  const whole = wholeLaunches(saved);
  const kept = <Item extends { launch: number }>(items: readonly Item[]) => {
    return items.filter(({ launch }) => launch < whole);
  };
  const observed: Observations = {
    starts: kept(saved.starts),
    warmups: kept(saved.warmups),
    idle: kept(saved.idle),
    slices: kept(saved.slices),
    hadOtherRuns: saved.hadOtherRuns,
    profiles: kept(saved.profiles),
    collected: kept(saved.collected),
    failures: kept(saved.failures),
    repeats: kept(saved.repeats),
    services: kept(saved.services),
    serviceFailures: kept(saved.serviceFailures),
  };
  const { startedAt, wallNs, firstTableNs, harnessPeakBytes } = saved;
  const plan = continuedPlan(saved.plan, fresh.plan, whole);
  return { ...fresh, startedAt, wallNs, firstTableNs, harnessPeakBytes, plan, ...observed };
}

/** The launches that were measured, then those that are left. Servers stay in the groups in which they were. */
function continuedPlan(saved: Plan, fresh: Plan, whole: number): Plan {
  const launches = saved.launches.slice(0, whole);
  const plan = { ...fresh, groups: saved.groups, launches };
  while (launches.length < fresh.launches.length) launches.push(drawLaunch(plan));
  return plan;
}
