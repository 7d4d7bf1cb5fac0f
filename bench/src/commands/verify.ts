import { FAILED } from '../base/errors.ts';
import { PACKAGES } from '../base/places.ts';
import type { ReadyServers } from '../launch/ready.ts';
import type { LaunchSession } from '../launch/session.ts';
import { planVerification } from '../plan/make-plan.ts';
import type { ServerRef } from '../plan/topology.ts';
import { lookOf } from '../report/terminal/look.ts';
import { renderSections } from '../report/terminal/render.ts';
import { type VerifiedServer, verificationSections } from '../report/verification.ts';
import { ALL_TOPOLOGIES } from '../request/amounts.ts';
import { SERVICES } from '../services/index.ts';
import type { Interrupts } from '../system/interrupt.ts';
import { chooseTargets, type LocalTarget, servicesOf } from '../targets/targets.ts';
import { type OtherCommand, startConsole } from './command.ts';
import { prepare } from './prepare.ts';

export const verify: OtherCommand = {
  name: 'verify',
  description: 'starts every target in every topology and checks its answers; measures nothing',
  options: ['targets', 'packages', 'topology', 'runtime', 'with'],
  usual: { targets: 'all', packages: 'packages', topology: ALL_TOPOLOGIES.join() },
  async perform({ given }, io) {
    const { targets: named = null, topology: names = ALL_TOPOLOGIES } = given;
    const chosen = chooseTargets(given.packages ?? PACKAGES, named, null);
    using runConsole = startConsole(io, 'start');
    const { interrupts, backend, stdout } = runConsole;
    const { targets, machine } = await prepare(chosen, names, { ...runConsole, given });
    const planned = planVerification(names, targets, machine);
    await using launches = backend.startLaunches(interrupts.now);
    const rows = await verifyAll(planned, targets, interrupts, launches);
    stdout.write(`${renderSections(verificationSections(rows), lookOf(stdout))}\n`);
    const failed = rows.some(({ outcome }) => outcome.state === 'failed');
    return interrupts.exitCode() ?? (failed ? FAILED : 0);
  },
};

/** Starts, verifies and stops each target in each topology. If interrupted, it returns the outcomes so far. */
async function verifyAll(
  { topologies, groups, services }: ReturnType<typeof planVerification>,
  targets: LocalTarget[],
  { soon, now }: Interrupts,
  launches: LaunchSession,
): Promise<VerifiedServer[]> {
  const results: VerifiedServer[] = [];
  try {
    for (const refs of groups) {
      if (soon.aborted) break;
      await using ready = await launches.start({ refs, topologies, targets, services });
      for (const ref of refs) {
        const target = targets.find(({ name }) => name === ref.target);
        const topology = topologies.find(({ id }) => id === ref.topology);
        if (!target || !topology) continue;
        const outcomes = outcomesOf(ref, target, ready);
        results.push(...outcomes.map((outcome) => ({ target, topology, outcome })));
      }
    }
  } catch (error) {
    if (!now.aborted) throw error;
  }
  return results;
}

/** The outcome for a server; if services that it needs did not start, one for each of these. */
function outcomesOf(
  { server: key }: ServerRef,
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
