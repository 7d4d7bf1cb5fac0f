import { FAILED } from '../base/exit-codes.ts';
import { verifyAll } from '../launch/verify-all.ts';
import { lookOf } from '../report/terminal/look.ts';
import { renderSections } from '../report/terminal/render.ts';
import { verificationSections } from '../report/verification.ts';
import type { VerifyOptions } from '../request/options.ts';
import { listenForInterrupts } from '../system/interrupt.ts';
import { describeMachine } from '../system/machine.ts';
import { withServices } from '../targets/served.ts';
import { chooseTargets } from '../targets/targets.ts';

/** Verifies every server, prints the result, and returns the exit code. */
export async function verifyCommand(options: VerifyOptions): Promise<number> {
  const chosen = chooseTargets(options.packages, options.targets, null);
  const { targets, leftOut } = withServices(chosen, options.targets);
  for (const line of leftOut) process.stderr.write(`${line}\n`);
  const machine = await describeMachine(targets.map(({ directory }) => directory));
  using interrupts = listenForInterrupts(() => {
    process.stderr.write('Ending after this start; Ctrl-C again ends at once.\n');
  });
  const rows = await verifyAll(options, targets, machine, interrupts);
  const report = renderSections(verificationSections(rows), lookOf(process.stdout));
  process.stdout.write(`${report}\n`);
  const failed = rows.some(({ outcome }) => outcome.state === 'failed');
  return interrupts.exitCode() ?? (failed ? FAILED : 0);
}
