import { FAILED, WRONG } from '../base/exit-codes.ts';
import { verifyAll } from '../launch/verify-all.ts';
import { lookOf } from '../report/terminal/look.ts';
import { renderSections } from '../report/terminal/render.ts';
import { verificationSections } from '../report/verification.ts';
import type { VerifyOptions } from '../request/options.ts';
import { listenForInterrupts } from '../system/interrupt.ts';
import { withServices } from '../targets/served.ts';
import { chooseTargets } from '../targets/targets.ts';
import type { Io } from './io.ts';
import { applyModifiers } from './modifiers.ts';
import { prepare } from './prepare.ts';

/** Verifies every server, prints the result, and returns the exit code. */
export async function verifyCommand(
  options: VerifyOptions,
  { stdout, stderr, signals, backend }: Io,
): Promise<number> {
  const say = (text: string) => stderr.write(`${text}\n`);
  const declared = chooseTargets(options.packages, options.targets, null);
  const chosen = withServices(declared, options.targets);
  using interrupts = listenForInterrupts(() => {
    say('Ending after this start; Ctrl-C again ends at once.');
  }, signals);
  const machine = await backend.describeMachine(chosen.targets.map(({ directory }) => directory));
  await prepare(chosen, options.topologies, machine, interrupts.soon, say, backend);
  const targets = await applyModifiers(
    chosen.targets,
    { ...options, limits: [] },
    interrupts.soon,
    say,
    backend,
  );
  if (targets === null) return interrupts.exitCode() ?? WRONG;
  await using launches = backend.startLaunches(interrupts.now);
  const rows = await verifyAll(options, targets, machine, interrupts, launches);
  const report = renderSections(verificationSections(rows), lookOf(stdout));
  stdout.write(`${report}\n`);
  const failed = rows.some(({ outcome }) => outcome.state === 'failed');
  return interrupts.exitCode() ?? (failed ? FAILED : 0);
}
