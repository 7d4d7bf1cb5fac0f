import { UserError } from '../base/errors.ts';
import type { RunRecord } from '../record/record.ts';
import { type RunCommand, runCommand } from '../request/run-command.ts';
import { OPTION_NAMES } from '../request/run-options.ts';
import type { LocalWorkload } from '../workload/read.ts';
import { NO_SIDES_YET } from './ab.ts';
import { cluster } from './cluster.ts';
import { frameworks } from './frameworks.ts';
import { pm2Tax } from './pm2-tax.ts';
import { ratesOf, ratesOn } from './rates.ts';
import { NOBODY_YET } from './run.ts';
import type { Suite } from './suite.ts';
import { truth } from './truth.ts';
import { truthWhere } from './truth-where.ts';
import { whereOf } from './where.ts';
import { workloadSubjects, workloadSuite } from './workload.ts';

/** Options of a run of servers that the command line names. */
const OF_SERVERS = [
  ...(['path', 'method', 'header', 'body', 'bodyFile', 'status', 'name', 'env'] as const),
  ...(['floor', 'url', 'pid', 'allowRemote'] as const),
];
/** Options of no run of targets, or of one kind alone. */
const RARE = [
  'pm2Tax',
  'asPublished',
  'repeats',
  'seconds',
  'failOn',
  'force',
  'reportOut',
  'format',
  'from',
  ...(['pods', 'namespace', 'image', 'storageClass', 'write'] as const),
] as const;
const without = (...names: readonly string[]) => {
  return OPTION_NAMES.filter((name) => !names.includes(name));
};
/** Options of a run whose servers may be on another machine. */
const ELSEWHERE = ['serverHost', 'oneMachine'] as const;
/** Options of a run of any targets. */
const ANY = without(...OF_SERVERS, ...RARE);
/** Options of a run of servers that the command line names. */
export const RUN_OPTION_NAMES = without('targets', 'packages', ...RARE);
/** Options of a run that compares sides, which start anew in each launch. */
export const AB_OPTION_NAMES = [
  ...without(
    ...([
      'targets',
      'topology',
      'cpuLimit',
      'memoryLimit',
      'rate',
      'p99',
      'driver',
      'generatorHosts',
      'contiguous',
    ] as const),
    ...(['until', 'floor', 'url', 'pid', 'allowRemote', ...ELSEWHERE] as const),
    ...RARE,
  ),
  ...(['failOn'] as const),
];
/** Options that have no meaning where the servers' functions are sampled. */
const NOT_OF_WHERE = [
  ...([
    'where',
    'topology',
    'connections',
    'pipelining',
    'rate',
    'p99',
    'driver',
    'generatorHosts',
  ] as const),
  ...(['contiguous', 'until', 'maxTime', ...ELSEWHERE] as const),
];

/** The commands that measure, and the kind of run that their options make of each. */
export const SUITE_COMMANDS: readonly RunCommand<Suite>[] = [
  runCommand({
    name: 'frameworks',
    description: 'measures the frameworks and the floor they stand on, in every topology',
    options: [...ANY, 'asPublished'],
    kindOf: ({ rate }) => (rate ? ratesOf('frameworks') : frameworks),
  }),
  runCommand({
    name: 'cluster',
    description: 'measures a CPU-bound endpoint as one process and as clusters',
    options: [...ANY, 'pm2Tax'],
    kindOf: ({ rate, pm2Tax: tax }) => (tax ? pm2Tax : rate ? ratesOf('cluster') : cluster),
  }),
  runCommand({
    name: 'where',
    description:
      'says where the CPU time of a request goes: kernel, native code, Node, each package',
    options: without(...OF_SERVERS, ...RARE, ...NOT_OF_WHERE),
    kindOf: () => whereOf(frameworks),
  }),
  runCommand({
    name: 'truth',
    description: 'measures servers whose cost is known, and says whether the harness finds it',
    options: ['where', 'profileDir', 'seed', 'out', 'quick', 'json'],
    kindOf: ({ where }) => (where ? truthWhere : truth),
  }),
];

const SUITES: readonly Suite[] = [
  NOBODY_YET,
  NO_SIDES_YET,
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
  const published = workload.asPublished ? (['asPublished'] as const) : [];
  return runCommand({
    name,
    description: workload.question,
    options: [
      ...without(...OF_SERVERS, ...RARE, ...ELSEWHERE, ...workload.withoutOptions),
      ...published,
    ],
    packages: folder,
    kindOf: ({ rate }) => {
      return rate ? ratesOn((asked) => workloadSubjects(workload, asked)) : suite;
    },
  });
}
