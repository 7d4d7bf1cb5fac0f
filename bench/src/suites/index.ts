import { UserError } from '../base/errors.ts';
import type { RunRecord } from '../record/record.ts';
import type { RunCommand } from '../request/options.ts';
import { OPTION_NAMES, type OptionName } from '../request/run-options.ts';
import type { LocalWorkload } from '../workload/read.ts';
import { cluster } from './cluster.ts';
import { frameworks } from './frameworks.ts';
import { pm2Tax } from './pm2-tax.ts';
import { ratesOf, ratesOn } from './rates.ts';
import { NOBODY_YET, runOf } from './run.ts';
import type { Suite } from './suite.ts';
import { truth } from './truth.ts';
import { truthWhere } from './truth-where.ts';
import { whereOf } from './where.ts';
import { workloadSubjects, workloadSuite } from './workload.ts';

/** Options of a run of servers that the command line names. */
const OF_SERVERS: readonly OptionName[] = [
  ...([
    'path',
    'method',
    'header',
    'body',
    'bodyFile',
    'status',
    'name',
    'env',
    'floor',
    'url',
    'pid',
    'allowRemote',
  ] as const),
];
/** Options that only some commands take. */
const OWN: readonly OptionName[] = ['pm2Tax', 'repeats', 'seconds', ...OF_SERVERS];
/** Options of a run of any targets. */
const ANY = OPTION_NAMES.filter((name) => !OWN.includes(name));

/** Options that have no meaning where the servers' functions are sampled. */
const NOT_OF_WHERE: readonly OptionName[] = [
  ...(['where', 'topology', 'connections', 'pipelining', 'rate', 'driver'] as const),
  ...(['contiguous', 'until', 'maxTime'] as const),
];

/** Options of a run of servers that the command line names. */
export const RUN_OPTION_NAMES = OPTION_NAMES.filter((name) => {
  return !['pm2Tax', 'repeats', 'seconds', 'targets', 'packages'].includes(name);
});

/** The commands that measure, and the kind of run that their options make of each. */
export const SUITE_COMMANDS: readonly RunCommand<Suite>[] = [
  {
    name: 'frameworks',
    description: 'measures the frameworks and the floor they stand on, in every topology',
    options: ANY,
    packages: null,
    takes: null,
    usual: {},
    kindOf: ({ rate }) => (rate ? ratesOf('frameworks') : frameworks),
  },
  {
    name: 'cluster',
    description: 'measures a CPU-bound endpoint as one process and as clusters',
    options: [...ANY, 'pm2Tax'],
    packages: null,
    takes: null,
    usual: {},
    kindOf: ({ rate, pm2Tax: tax }) => (tax ? pm2Tax : rate ? ratesOf('cluster') : cluster),
  },
  {
    name: 'where',
    description:
      'says where the CPU time of a request goes: kernel, native code, Node, each package',
    options: ANY.filter((name) => !NOT_OF_WHERE.includes(name)),
    packages: null,
    takes: null,
    usual: {},
    kindOf: () => whereOf(frameworks),
  },
  {
    name: 'truth',
    description: 'measures servers whose cost is known, and says whether the harness finds it',
    options: ['where', 'profileDir', 'seed', 'out', 'quick', 'json'],
    packages: null,
    takes: null,
    usual: {},
    kindOf: ({ where }) => (where ? truthWhere : truth),
  },
];

const SUITES: readonly Suite[] = [
  runOf(NOBODY_YET),
  frameworks,
  ratesOf('frameworks'),
  cluster,
  pm2Tax,
  truth,
  truthWhere,
  whereOf(frameworks),
];

/** The kind of run that a record is of. @throws UserError when there is none of this name. */
export function suiteOf({ suite: name, workload }: Pick<RunRecord, 'suite' | 'workload'>): Suite {
  if (workload !== null) return workloadSuite(name, workload);
  const suite = SUITES.find((each) => each.name === name);
  if (suite !== undefined) return suite;
  const next = 'Read the record with the version of overhead that wrote it.';
  throw new UserError(`no kind of run is named "${name}"`, next);
}

/** The command that measures a workload: each of this repository has one of its name. */
export function workloadCommand({ name, folder, workload }: LocalWorkload): RunCommand<Suite> {
  const suite = workloadSuite(name, workload);
  return {
    name,
    description: workload.question,
    options: ANY.filter((option) => !workload.withoutOptions.includes(option)),
    packages: folder,
    takes: null,
    usual: {},
    kindOf: ({ rate }) => {
      return rate ? ratesOn((asked) => workloadSubjects(workload, asked)) : suite;
    },
  };
}
