import type { RunCommand } from '../request/options.ts';
import type { OptionName } from '../request/run-options.ts';
import { cluster } from './cluster.ts';
import { frameworks } from './frameworks.ts';
import { pm2Tax } from './pm2-tax.ts';
import { ratesOf } from './rates.ts';
import type { Suite } from './suite.ts';
import { truth } from './truth.ts';

/** Options of a run of any targets. */
const ANY: readonly OptionName[] = [
  ...(['targets', 'packages', 'topology', 'connections', 'pipelining', 'rate', 'driver'] as const),
  ...(['duration', 'slice', 'contiguous', 'launches', 'warmup', 'until', 'maxTime'] as const),
  ...(['equivalence', 'seed', 'out', 'quick', 'json', 'details'] as const),
];

/** The commands that measure, and the kind of run that their options make of each. */
export const SUITE_COMMANDS: readonly RunCommand<Suite>[] = [
  {
    name: 'frameworks',
    description: 'measures the frameworks and the floor they stand on, in every topology',
    options: ANY,
    usual: {},
    kindOf: ({ rate }) => (rate ? ratesOf('frameworks') : frameworks),
  },
  {
    name: 'cluster',
    description: 'measures a CPU-bound endpoint as one process and as clusters',
    options: [...ANY, 'pm2Tax'],
    usual: {},
    kindOf: ({ rate, pm2Tax: tax }) => (tax ? pm2Tax : rate ? ratesOf('cluster') : cluster),
  },
  {
    name: 'truth',
    description: 'measures servers whose cost is known, and says whether the harness finds it',
    options: ['seed', 'out', 'quick', 'json'],
    usual: {},
    kindOf: () => truth,
  },
];

const SUITES: readonly Suite[] = [frameworks, ratesOf('frameworks'), cluster, pm2Tax, truth];

/** The kind of run that a record is of. @throws when there is none of this name. */
export function suiteNamed(name: string): Suite {
  const suite = SUITES.find((each) => each.name === name);
  if (suite === undefined) throw new Error(`no kind of run is named "${name}"`);
  return suite;
}
