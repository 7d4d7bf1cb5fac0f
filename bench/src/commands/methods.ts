import { relative } from 'node:path';
import { explain } from '../base/errors.ts';
import { FAILED, WRONG } from '../base/exit-codes.ts';
import { saveJson } from '../base/json-file.ts';
import { TWINS_FOLDER } from '../base/places.ts';
import { makePlan } from '../plan/plan.ts';
import { newRecord } from '../record/record.ts';
import { type Progress, startProgress } from '../report/progress.ts';
import type { MethodsOptions } from '../request/options.ts';
import { ratiosOf } from '../studies/methods/ratios.ts';
import { newMethodsRecord } from '../studies/methods/record.ts';
import { METHODS, type Method, methodOptions } from '../studies/methods/run-options.ts';
import { listenForInterrupts } from '../system/interrupt.ts';
import { describeMachine } from '../system/machine.ts';
import { chooseTargets } from '../targets/targets.ts';
import { carryOut, ENDING } from './carry-out.ts';
import { recordPath } from './record-path.ts';
import { printMethods } from './report.ts';

/**
 * Measures the twins by the usual way and by slices in turn, saves and prints how far apart the
 * repeats of each came out, and returns the exit code.
 */
export async function methodsCommand(options: MethodsOptions): Promise<number> {
  const { repeats, wallS, seed } = options;
  const targets = chooseTargets(TWINS_FOLDER, null, null);
  const startedAt = new Date();
  const machine = await describeMachine(targets.map(({ directory }) => directory));
  const record = newMethodsRecord({ machine, seed, repeats, targetNs: wallS * 1e9 }, startedAt);
  const path = recordPath(options.out, startedAt, 'methods');
  await saveJson(path, record);

  const labels = new Map(targets.map(({ name, label }) => [name, label]));
  const sayPlainly = (text: string) => process.stderr.write(`${text}\n`);
  let say: Progress['say'] = sayPlainly;
  using interrupts = listenForInterrupts(() => say(ENDING));

  const measure = async (method: Method, repeat: number): Promise<boolean> => {
    const plan = makePlan(methodOptions(method, wallS, seed + repeat), targets, machine);
    const run = newRecord({ machine, targets, plan }, new Date());
    const progress = startProgress(process.stderr, plan, labels);
    say = progress.say;
    say(`${method}, ${repeat + 1} of ${repeats}`);
    const subjects = { targets, probes: [], readTimer: async () => null };
    await carryOut(run, subjects, { progress, interrupts, onRound: async () => {} });
    say = sayPlainly;
    const [cpu, throughput] = [ratiosOf(run, 'cpu'), ratiosOf(run, 'throughput')];
    if (run.state !== 'complete' || cpu === null || throughput === null) return false;
    record.measurements.push({ method, repeat, wallNs: run.wallNs, ratios: { cpu, throughput } });
    await saveJson(path, record);
    return true;
  };

  let whole = true;
  try {
    for (let repeat = 0; whole && repeat < repeats; repeat++) {
      for (const method of METHODS) whole = whole && (await measure(method, repeat));
    }
  } catch (error) {
    // What was measured before is still worth showing.
    whole = false;
    say(explain(error));
  }
  printMethods(record, options);
  say(`Saved as ${relative(process.cwd(), path)}`);
  return interrupts.exitCode() ?? (whole ? 0 : record.measurements.length > 0 ? FAILED : WRONG);
}
