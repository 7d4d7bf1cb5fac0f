import { planVerification } from '../plan/make-plan.ts';
import type { Topology } from '../plan/topology.ts';
import type { VerifyOptions } from '../request/options.ts';
import { SERVICES } from '../services/index.ts';
import type { Machine } from '../system/machine.ts';
import { type LocalTarget, servicesOf } from '../targets/targets.ts';
import type { ReadyServers } from './ready.ts';
import type { LaunchSession } from './session.ts';

/** What was found out about one target in one topology. */
export interface VerifiedServer {
  target: LocalTarget;
  topology: Topology;
  outcome:
    | { state: 'verified'; processes: number }
    | { state: 'failed'; message: string; lastWords: string[] };
}

/**
 * Starts every target in every topology, verifies each, and stops them again. Interrupted, it
 * returns what it has found so far.
 */
export async function verifyAll(
  options: VerifyOptions,
  targets: LocalTarget[],
  machine: Machine,
  signals: Record<'soon' | 'now', AbortSignal>,
  launches: LaunchSession,
): Promise<VerifiedServer[]> {
  const { topologies, groups, services } = planVerification(options.topologies, targets, machine);
  const results: VerifiedServer[] = [];
  try {
    for (const refs of groups) {
      if (signals.soon.aborted) break;
      const wanted = { refs, topologies, targets, services };
      await using ready = await launches.start(wanted);
      for (const ref of refs) {
        const target = targets.find(({ name }) => name === ref.target);
        const topology = topologies.find(({ id }) => id === ref.topology);
        const server = ready.servers.get(ref.server);
        const problem = ready.notReady.find((each) => each.server === ref.server);
        if (!target || !topology) continue;
        if (server) {
          const outcome = { state: 'verified' as const, processes: server.pids.length };
          results.push({ target, topology, outcome });
        } else if (problem) {
          const { message, lastWords } = problem;
          results.push({ target, topology, outcome: { state: 'failed', message, lastWords } });
        } else {
          for (const { name, message, lastWords } of troublesOf(target, ready)) {
            const text = `its ${SERVICES[name].label}: ${message}`;
            results.push({
              target,
              topology,
              outcome: { state: 'failed', message: text, lastWords },
            });
          }
        }
      }
    }
  } catch (error) {
    if (!signals.now.aborted) throw error;
  }
  return results;
}

function troublesOf(target: LocalTarget, { troubles }: ReadyServers) {
  return troubles.filter(({ name }) => servicesOf(target).includes(name));
}
