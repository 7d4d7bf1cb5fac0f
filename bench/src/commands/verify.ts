import { FAILED } from '../base/errors.ts';
import { PACKAGES } from '../base/places.ts';
import { verifyAll } from '../launch/verify-all.ts';
import { lookOf } from '../report/terminal/look.ts';
import { renderSections } from '../report/terminal/render.ts';
import { verificationSections } from '../report/verification.ts';
import { ALL_TOPOLOGIES } from '../request/amounts.ts';
import { chooseTargets } from '../targets/targets.ts';
import type { OtherCommand } from './command.ts';
import { startConsole } from './console.ts';
import { prepare } from './prepare.ts';

export const verify: OtherCommand = {
  name: 'verify',
  description: 'starts every target in every topology and checks its answers; measures nothing',
  options: ['targets', 'packages', 'topology', 'runtime', 'with'],
  usual: { targets: 'all', packages: 'packages', topology: ALL_TOPOLOGIES.join() },
  async perform({ given }, io) {
    const { targets: named = null, topology: topologies = ALL_TOPOLOGIES } = given;
    const chosen = chooseTargets(given.packages ?? PACKAGES, named, null);
    using runConsole = startConsole(io, 'start');
    const { interrupts, backend, stdout } = runConsole;
    const command = { ...runConsole, given };
    const { targets, machine } = await prepare(chosen, topologies, command);
    await using launches = backend.startLaunches(interrupts.now);
    const rows = await verifyAll(topologies, targets, machine, interrupts, launches);
    stdout.write(`${renderSections(verificationSections(rows), lookOf(stdout))}\n`);
    const failed = rows.some(({ outcome }) => outcome.state === 'failed');
    return interrupts.exitCode() ?? (failed ? FAILED : 0);
  },
};
