import { FAILED } from '../exit-codes.ts';
import { listenForInterrupts } from '../interrupt.ts';
import { describeMachine } from '../machine.ts';
import type { VerifyOptions } from '../options.ts';
import { lookOf } from '../report/look.ts';
import { renderVerification } from '../report/verification.ts';
import { chooseTargets } from '../targets.ts';
import { verifyAll } from '../verify-all.ts';

/** Verifies every server, prints the result, and returns the exit code. */
export async function verifyCommand(options: VerifyOptions): Promise<number> {
  const targets = chooseTargets(options.packages, options.targets, null);
  const machine = await describeMachine(targets);
  using interrupts = listenForInterrupts(() => {
    process.stderr.write('Ending after this start; Ctrl-C again ends at once.\n');
  });
  const rows = await verifyAll(options, targets, machine, interrupts);
  process.stdout.write(renderVerification(rows, lookOf(process.stdout)));
  const failed = rows.some(({ outcome }) => outcome.state === 'failed');
  return interrupts.exitCode() ?? (failed ? FAILED : 0);
}
