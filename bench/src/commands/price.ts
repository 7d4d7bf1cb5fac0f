import { relative } from 'node:path';
import { explain } from '../base/errors.ts';
import { FAILED } from '../base/exit-codes.ts';
import { saveJson } from '../base/json-file.ts';
import { TRUTH_FOLDER } from '../base/places.ts';
import type { RunOptions } from '../request/run-options.ts';
import { makePricePlan } from '../studies/price/plan.ts';
import { newPriceRecord } from '../studies/price/record.ts';
import { runPrice } from '../studies/price/run.ts';
import { listenForInterrupts } from '../system/interrupt.ts';
import { describeMachine } from '../system/machine.ts';
import { ENDING } from './carry-out.ts';
import { recordPath } from './record-path.ts';
import { printPrices } from './report.ts';

/** Measures what the harness adds to a server, saves and prints it, and returns the exit code. */
export async function priceCommand(options: RunOptions): Promise<number> {
  const startedAt = new Date();
  const machine = await describeMachine([TRUTH_FOLDER]);
  const plan = makePricePlan(options, machine);
  const record = newPriceRecord(plan, machine, startedAt);
  const path = recordPath(options.out, startedAt, 'price');
  const save = () => saveJson(path, record);
  await save();

  const say = (text: string) => process.stderr.write(`${text}\n`);
  using interrupts = listenForInterrupts(() => say(ENDING));
  // What was measured before anything broke is still worth saving and showing.
  const succeeds = async (act: () => Promise<void>) => {
    try {
      await act();
      return true;
    } catch (error) {
      say(explain(error));
      return false;
    }
  };
  const ran = await succeeds(() => {
    return runPrice(record, plan, {
      onLaunch: (launch) => say(`launch ${launch + 1} of ${record.launches}`),
      onRound: save,
      soon: interrupts.soon,
      now: interrupts.now,
    });
  });
  const saved = await succeeds(save);
  const deserved = printPrices(record, options);
  if (saved) say(`Saved as ${relative(process.cwd(), path)}`);
  return interrupts.exitCode() ?? (ran && saved ? deserved : FAILED);
}
