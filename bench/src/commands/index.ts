import { IS_PACKAGE } from '../base/places.ts';
import { operandsOf } from '../request/command-words.ts';
import { type RunCommand, runCommand } from '../request/run-command.ts';
import { AB_MAX_TIME_S } from '../suites/ab.ts';
import {
  AB_OPTION_NAMES,
  RUN_OPTION_NAMES,
  SUITE_COMMANDS,
  workloadCommand,
} from '../suites/index.ts';
import type { Suite } from '../suites/suite.ts';
import {
  type LocalWorkload,
  ownWorkloads,
  readWorkload,
  requireTargets,
  WORKLOAD_FILE,
} from '../workload/read.ts';
import { ab } from './ab.ts';
import type { BenchCommand, Kind } from './command.ts';
import { compare } from './compare.ts';
import { k8s } from './k8s.ts';
import { METHODS_USUAL, methods } from './methods.ts';
import { open } from './open.ts';
import { price } from './price.ts';
import { report } from './report.ts';
import { run } from './run.ts';
import { site } from './site.ts';
import { verify } from './verify.ts';

/**
 * All commands, for these arguments: those that measure, a suite or a workload each, or a study of the harness itself,
 * and all others.
 * @throws UserError for a workload that can't be read.
 */
export function commandsFor(argv: readonly string[]): BenchCommand[] {
  const own = ownWorkloads();
  const measuring = [...SUITE_COMMANDS, ...own.map(workloadCommand), ...anyWorkload(argv, own)];
  const all = [...measuring, ...STUDIES, verify, report, compare, open, site, k8s];
  return IS_PACKAGE ? all.filter(({ name }) => !OF_A_CHECKOUT.includes(name)) : all;
}

/** They measure servers that the npm package does not have. */
const OF_A_CHECKOUT = ['truth', 'price', 'methods'];

/** The word after which the folder of a workload is named. */
const WORKLOAD = 'workload';

/** The command that measures the workload of a folder; for its help, where none is named, one of these tells the defaults. */
function anyWorkload(argv: readonly string[], own: readonly LocalWorkload[]): RunCommand<Suite>[] {
  const [command, folder] = operandsOf(argv);
  const named = command === WORKLOAD && folder !== undefined ? readWorkload(folder) : null;
  if (named !== null) requireTargets(named);
  const workload = named ?? own[0];
  if (workload === undefined) return [];
  return [
    {
      ...workloadCommand(workload),
      name: WORKLOAD,
      description: `measures a workload of yours: a folder of targets with a ${WORKLOAD_FILE}`,
      operands: ['<folder>', 'the folder of the targets'],
    },
  ];
}

/** What is named of servers. */
const SERVERS = [
  '[servers...]',
  'commands in quotes, folders, or targets; or one command after --',
] as const;
const ABLE = { connections: 'as many as they take', pipelining: 'as many as they take' };

const STUDIES: readonly RunCommand<Kind>[] = [
  runCommand({
    name: 'run',
    description: 'measures servers of yours: commands, folders, or addresses',
    options: RUN_OPTION_NAMES,
    operands: SERVERS,
    usual: ABLE,
    kindOf: () => run,
  }),
  runCommand({
    name: 'ab',
    description: 'compares versions of a server: what each costs more than the first',
    options: AB_OPTION_NAMES,
    operands: SERVERS,
    usual: { ...ABLE, maxTime: AB_MAX_TIME_S },
    kindOf: () => ab,
  }),
  runCommand({
    name: 'price',
    description: 'measures what the harness itself adds to the cost of a server',
    options: ['seed', 'out', 'quick', 'json', 'plain'],
    kindOf: () => price,
  }),
  runCommand({
    name: 'methods',
    description: 'compares the usual way with slices: how far apart repeats of each come out',
    options: ['repeats', 'seconds', 'seed', 'out', 'quick', 'json', 'plain'],
    usual: METHODS_USUAL,
    kindOf: () => methods,
  }),
];
