import { FAILED } from '../base/errors.ts';
import { PACKAGES } from '../base/places.ts';
import { type ReadyServers, serversOf } from '../launch/ready.ts';
import type { LaunchSession } from '../launch/session.ts';
import { planVerification } from '../plan/make-plan.ts';
import { lookOf } from '../report/terminal/look.ts';
import { renderSections } from '../report/text.ts';
import { type VerifiedServer, verificationSections } from '../report/verification.ts';
import { ALL_TOPOLOGIES } from '../request/amounts.ts';
import { SERVICES } from '../services/index.ts';
import type { Interrupts } from '../system/interrupt.ts';
import { chooseTargets, type LocalTarget } from '../targets/targets.ts';
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
    const failed = rows.some(({ failure }) => failure !== null);
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
      const servers = serversOf(refs, targets, topologies);
      await using ready = await launches.start({ servers, services });
      for (const { key, target, topology } of servers) {
        const processes = ready.servers.get(key)?.pids.length ?? null;
        const failures = processes === null ? failuresOf(key, ready) : [null];
        results.push(...failures.map((failure) => ({ target, topology, processes, failure })));
      }
    }
  } catch (error) {
    if (!now.aborted) throw error;
  }
  return results;
}

/** How a server failed; if services that it needs did not start, how each of these did. */
function failuresOf(key: string, { notReady, failedServices }: ReadyServers) {
  const own = notReady.filter(({ server }) => server === key);
  const ofServices = failedServices
    .filter(({ servers }) => servers.includes(key))
    .map((each) => ({ ...each, message: `its ${SERVICES[each.name].label}: ${each.message}` }));
  return [...own, ...ofServices];
}
