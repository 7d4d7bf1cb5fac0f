import { planVerification } from '../plan/make-plan.ts';
import type { Topology } from '../plan/topology.ts';
import type { TopologyName } from '../request/option-values.ts';
import { SERVICES } from '../services/index.ts';
import type { Machine } from '../system/machine.ts';
import { type LocalTarget, servicesOf } from '../targets/targets.ts';
import type { ReadyServers } from './ready.ts';
import type { LaunchSession } from './session.ts';

/** The outcome for a target in a topology. */
export interface VerifiedServer {
  target: LocalTarget;
  topology: Topology;
  outcome:
    | { state: 'verified'; processes: number }
    | { state: 'failed'; message: string; logTail: string[] };
}

/** Starts, verifies and stops each target in each topology. If interrupted, it returns the outcomes so far. */
export async function verifyAll(
  names: TopologyName[],
  targets: LocalTarget[],
  machine: Machine,
  signals: Record<'soon' | 'now', AbortSignal>,
  launches: LaunchSession,
): Promise<VerifiedServer[]> {
  const { topologies, groups, services } = planVerification(names, targets, machine);
  const results: VerifiedServer[] = [];
  try {
    for (const refs of groups) {
      if (signals.soon.aborted) break;
      await using ready = await launches.start({ refs, topologies, targets, services });
      for (const ref of refs) {
        const target = targets.find(({ name }) => name === ref.target);
        const topology = topologies.find(({ id }) => id === ref.topology);
        if (!target || !topology) continue;
        const outcomes = outcomesOf(ref.server, target, ready);
        results.push(...outcomes.map((outcome) => ({ target, topology, outcome })));
      }
    }
  } catch (error) {
    if (!signals.now.aborted) throw error;
  }
  return results;
}

/** The outcome for a server; if services that it needs did not start, one for each of these. */
function outcomesOf(
  key: string,
  target: LocalTarget,
  { servers, notReady, failedServices }: ReadyServers,
): VerifiedServer['outcome'][] {
  const server = servers.get(key);
  if (server) return [{ state: 'verified', processes: server.pids.length }];
  const own = notReady.filter((each) => each.server === key);
  const ofServices = failedServices
    .filter(({ name }) => servicesOf(target).includes(name))
    .map((each) => ({ ...each, message: `its ${SERVICES[each.name].label}: ${each.message}` }));
  return [...own, ...ofServices].map(({ message, logTail }) => {
    return { state: 'failed', message, logTail };
  });
}
