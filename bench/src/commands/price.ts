import { explain, UserError } from '../base/errors.ts';
import { saveJson } from '../base/files.ts';
import { newRecord } from '../record/record.ts';
import type { Defaults } from '../request/amounts.ts';
import { makePricePlan, PRICE_TARGETS } from '../studies/price/plan.ts';
import { priceRecordOf } from '../studies/price/record.ts';
import { truth } from '../suites/truth.ts';
import { executePlan, type RunCommand } from './command.ts';
import { recordPath, saveAndPrint } from './save.ts';

/** Those of the truth, but an even number of launches, and more of everything, so that half a percent shows. */
const FULL: Defaults = { ...truth.defaults({}), durationS: 48, sliceS: 0.15, launches: 20 };
const QUICK: Defaults = { ...FULL, durationS: 0.8, sliceS: 0.1, launches: 2, warmupS: 0.5 };

export const price: RunCommand = {
  name: 'price',
  description: 'measures what the harness itself adds to the cost of a server',
  options: ['seed', 'out', 'quick', 'json', 'plain'],
  kindOf: ({ quick }) => ({ ...truth, name: price.name, defaults: () => (quick ? QUICK : FULL) }),
  async perform(command) {
    const { options, given, say } = command;
    const { clock, describeMachine } = command.backend;
    const startedAt = clock.date();
    const { twins, neighbours } = PRICE_TARGETS;
    const machine = await describeMachine(twins.map(({ directory }) => directory));
    const plan = makePricePlan(truth, options, machine);
    const run = newRecord({ suite: price.name, machine, targets: twins, plan }, startedAt);
    const path = recordPath(given.out, startedAt, price.name);
    const save = () => saveJson(path, priceRecordOf(run));
    await save();

    const subjects = { targets: [...twins, ...neighbours] };
    const isExecuted = await executePlan(run, subjects, command, { onRound: save });
    const isWhole = isExecuted && run.failures.length === 0;
    const code = await saveAndPrint(path, priceRecordOf(run), isWhole, command);
    for (const { server, message, logTail } of run.failures) {
      const said = logTail.map((line) => `\n  ${line}`).join('');
      const next = 'See whether the machine ran out of memory, and run it again.';
      say(explain(new UserError(`${server} failed: ${message}${said}`, next)));
    }
    return code;
  },
};
