import { explain } from '../base/errors.ts';
import { saveJson } from '../base/files.ts';
import { TWINS_FOLDER } from '../base/places.ts';
import { makePlan } from '../plan/make-plan.ts';
import { newRecord } from '../record/record.ts';
import { HEADLINES, newMethodsRecord, ratiosOf } from '../studies/methods/record.ts';
import { METHODS, type Method, methodOptions } from '../studies/methods/run-options.ts';
import { frameworks } from '../suites/frameworks.ts';
import { chooseTargets } from '../targets/targets.ts';
import { executePlan, type RunCommand } from './command.ts';
import { recordPath, saveAndPrint } from './save.ts';

/** Measurements with each method, and the wall time of each, s. */
const METHODS_USUAL = { repeats: 10, seconds: 40 };
const QUICK = { repeats: 2, seconds: 8 };

export const methods: RunCommand = {
  name: 'methods',
  description: 'compares the usual way with slices: how far apart repeats of each come out',
  options: ['repeats', 'seconds', 'seed', 'out', 'quick', 'json', 'plain'],
  usual: METHODS_USUAL,
  // The wall time gives each method amounts of its own.
  kindOf: () => ({ ...frameworks, name: methods.name }),
  async perform(command) {
    const { options, given, say } = command;
    const { clock, describeMachine } = command.backend;
    const usual = given.quick ? QUICK : METHODS_USUAL;
    const { repeats = usual.repeats, seconds: wallS = usual.seconds } = given;
    const { seed } = options;
    const { targets } = chooseTargets(TWINS_FOLDER, null, null);
    const startedAt = clock.date();
    const machine = await describeMachine(targets.map(({ directory }) => directory));
    const record = newMethodsRecord({ machine, seed, repeats, targetNs: wallS * 1e9 }, startedAt);
    const path = recordPath(given.out, startedAt, methods.name);
    await saveJson(path, record);

    const measure = async (method: Method, repeat: number): Promise<boolean> => {
      say(`${method}, ${repeat + 1} of ${repeats}`);
      const asked = methodOptions(options, method, wallS, seed + repeat);
      const plan = makePlan(frameworks, asked, targets, machine);
      const run = newRecord({ suite: methods.name, machine, targets, plan }, clock.date());
      await executePlan(run, { targets }, command);
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
      say(explain(error));
    }
    return await saveAndPrint(path, record, isWhole, command);
  },
};
