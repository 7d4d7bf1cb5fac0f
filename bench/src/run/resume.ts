import { drawLaunch } from '../plan/draw.ts';
import { cellOf } from '../plan/plan.ts';
import { observationsShape, type RunRecord } from '../record/record.ts';
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
  const observed = observationsShape.keyof().options.map((key) => {
    const seen = saved[key];
    return [key, Array.isArray(seen) ? seen.filter(({ launch }) => launch < whole) : seen];
  });
  const launches = saved.plan.launches.slice(0, whole);
  // Servers stay in the groups in which they were.
  const plan = { ...fresh.plan, groups: saved.plan.groups, launches };
  while (launches.length < fresh.plan.launches.length) launches.push(drawLaunch(plan));
  const { startedAt, wallNs, firstTableNs, harnessPeakBytes } = saved;
  return {
    ...fresh,
    startedAt,
    wallNs,
    firstTableNs,
    harnessPeakBytes,
    plan,
    ...observationsShape.parse(Object.fromEntries(observed)),
  };
}
