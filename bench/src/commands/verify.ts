import { FAILED, WRONG } from '../base/exit-codes.ts';
import { verifyAll } from '../launch/verify-all.ts';
import { lookOf } from '../report/terminal/look.ts';
import { renderSections } from '../report/terminal/render.ts';
import { verificationSections } from '../report/verification.ts';
import type { VerifyOptions } from '../request/options.ts';
import { listenForInterrupts } from '../system/interrupt.ts';
import { describeMachine } from '../system/machine.ts';
import { chooseTargets } from '../targets/targets.ts';
import { equip } from './equip.ts';

/** Verifies every server, prints the result, and returns the exit code. */
export async function verifyCommand(options: VerifyOptions): Promise<number> {
  const chosen = chooseTargets(options.packages, options.targets, null);
  const say = (text: string) => process.stderr.write(`${text}\n`);
  using interrupts = listenForInterrupts(() => {
    say('Ending after this start; Ctrl-C again ends at once.');
  });
  const targets = await equip(chosen, options, interrupts.soon, say);
  if (targets === null) return interrupts.exitCode() ?? WRONG;
  const machine = await describeMachine(chosen.map(({ directory }) => directory));
  const rows = await verifyAll(options, targets, machine, interrupts);
  const report = renderSections(verificationSections(rows), lookOf(process.stdout));
  process.stdout.write(`${report}\n`);
  const failed = rows.some(({ outcome }) => outcome.state === 'failed');
  return interrupts.exitCode() ?? (failed ? FAILED : 0);
}
