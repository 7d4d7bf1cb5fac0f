import { explain, UserError } from '../base/errors.ts';
import { saveJson } from '../base/json-file.ts';
import { newRecord } from '../record/record.ts';
import type { Defaults } from '../request/amounts.ts';
import type { RunRequest } from '../request/run-command.ts';
import { PLAIN_KIND } from '../request/run-options.ts';
import { noTimer } from '../run/measured-targets.ts';
import { makePricePlan, PRICE_TARGETS } from '../studies/price/plan.ts';
import { priceRecordOf } from '../studies/price/record.ts';
import { truth } from '../suites/truth.ts';
import { carryOut, startConsole } from './carry-out.ts';
import type { Io, Kind } from './command.ts';
import { conclude } from './conclude.ts';
import { recordPath } from './record-path.ts';

/** As for the truth, but with an even number of launches, and more of everything, since half a percent is to be seen. */
const FULL: Defaults = { ...truth.defaults({}), durationS: 48, sliceS: 0.15, launches: 20 };
const QUICK: Defaults = { ...FULL, durationS: 0.8, sliceS: 0.1, launches: 2, warmupS: 0.5 };

/** What the harness adds to a server. */
export const price: Kind = {
  name: 'price',
  defaults: ({ quick }) => (quick ? QUICK : FULL),
  ...PLAIN_KIND,
  perform: performPrice,
};

async function performPrice({ options }: RunRequest, io: Io): Promise<number> {
  const { clock, describeMachine } = io.backend;
  const startedAt = clock.date();
  const { twins, neighbours } = PRICE_TARGETS;
  const machine = await describeMachine(twins.map(({ directory }) => directory));
  const plan = makePricePlan(truth, options, machine);
  const run = newRecord({ suite: price.name, machine, targets: twins, plan }, startedAt);
  const path = recordPath(options.out, startedAt, price.name);
  const save = (to = path) => saveJson(to, priceRecordOf(run));
  await save();

  using runConsole = startConsole(io);
  const subjects = { targets: [...twins, ...neighbours], probes: [], readTimer: noTimer };
  const isWhole = await carryOut(run, subjects, runConsole, () => save());
  const measured = isWhole && run.failures.length === 0 ? 'all' : 'a part';
  const code = await conclude(path, priceRecordOf(run), save, measured, options, runConsole);
  for (const { server, message, logTail } of run.failures) {
    const said = logTail.map((line) => `\n  ${line}`).join('');
    const next = 'See whether the machine ran out of memory, and run again.';
    runConsole.say(explain(new UserError(`${server} failed: ${message}${said}`, next)));
  }
  return code;
}
