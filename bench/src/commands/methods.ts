import { explain } from '../base/errors.ts';
import { saveJson } from '../base/json-file.ts';
import { TWINS_FOLDER } from '../base/places.ts';
import { makePlan } from '../plan/make-plan.ts';
import { newRecord } from '../record/record.ts';
import type { RunRequest } from '../request/run-command.ts';
import { PLAIN_KIND } from '../request/run-options.ts';
import { noTimer } from '../run/measured-targets.ts';
import { HEADLINES, ratiosOf } from '../studies/methods/ratios.ts';
import { newMethodsRecord } from '../studies/methods/record.ts';
import { METHODS, type Method, methodOptions } from '../studies/methods/run-options.ts';
import { frameworks } from '../suites/frameworks.ts';
import { chooseTargets } from '../targets/targets.ts';
import { carryOut, startConsole } from './carry-out.ts';
import type { Io, Kind } from './command.ts';
import { conclude } from './conclude.ts';
import { recordPath } from './record-path.ts';

/** Measurements by each method, and the wall time of each, s. */
export const METHODS_USUAL = { repeats: 10, seconds: 40 };
const QUICK = { repeats: 2, seconds: 8 };

/** The usual way and slices, in turn: how far apart the repeats of each come out. */
export const methods: Kind = {
  name: 'methods',
  // Each method has amounts of its own, by the wall time.
  defaults: frameworks.defaults,
  ...PLAIN_KIND,
  perform: performMethods,
};

async function performMethods({ options, given }: RunRequest, io: Io): Promise<number> {
  const { clock, describeMachine } = io.backend;
  const usual = given.quick ? QUICK : METHODS_USUAL;
  const { repeats = usual.repeats, seconds: wallS = usual.seconds } = given;
  const { seed } = options;
  const { targets } = chooseTargets(TWINS_FOLDER, null, null);
  const startedAt = clock.date();
  const machine = await describeMachine(targets.map(({ directory }) => directory));
  const record = newMethodsRecord({ machine, seed, repeats, targetNs: wallS * 1e9 }, startedAt);
  const path = recordPath(options.out, startedAt, methods.name);
  await saveJson(path, record);

  using runConsole = startConsole(io);
  const subjects = { targets, probes: [], readTimer: noTimer };
  const measure = async (method: Method, repeat: number): Promise<boolean> => {
    runConsole.say(`${method}, ${repeat + 1} of ${repeats}`);
    const asked = methodOptions(options, method, wallS, seed + repeat);
    const plan = makePlan(frameworks, asked, targets, machine);
    const run = newRecord({ suite: methods.name, machine, targets, plan }, clock.date());
    await carryOut(run, subjects, runConsole);
    if (run.state !== 'complete') return false;
    const [cpu, throughput] = HEADLINES.map((headline) => ratiosOf(run, headline));
    if (!cpu || !throughput) return false;
    record.measurements.push({ method, repeat, wallNs: run.wallNs, ratios: { cpu, throughput } });
    await saveJson(path, record);
    return true;
  };

  let isWhole = true;
  try {
    for (let repeat = 0; isWhole && repeat < repeats; repeat++) {
      for (const method of METHODS) isWhole = isWhole && (await measure(method, repeat));
    }
  } catch (error) {
    // What was measured before is still worth showing.
    isWhole = false;
    runConsole.say(explain(error));
  }
  const save = (to: string) => saveJson(to, record);
  const measured = record.measurements.length === 0 ? 'nothing' : isWhole ? 'all' : 'a part';
  return await conclude(path, record, save, measured, options, runConsole);
}
