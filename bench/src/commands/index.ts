import { relative } from 'node:path';
import { IS_PACKAGE, PACKAGES, PROJECT } from '../base/places.ts';
import { operandsOf } from '../request/command-line.ts';
import type { Rate } from '../request/option-values.ts';
import { optionsOf } from '../request/options.ts';
import type { GivenOptions } from '../request/run-options.ts';
import { cluster } from '../suites/cluster.ts';
import { frameworks } from '../suites/frameworks.ts';
import { pm2Tax } from '../suites/pm2-tax.ts';
import { ratesOf, ratesOn } from '../suites/rates.ts';
import { truth, truthWhere } from '../suites/truth.ts';
import { whereOf } from '../suites/where.ts';
import { workloadSubjects, workloadSuite } from '../suites/workload.ts';
import {
  type LocalWorkload,
  ownWorkloads,
  readWorkload,
  requireTargets,
  WORKLOAD_FILE,
} from '../workload/read.ts';
import { ab } from './ab.ts';
import type { BenchCommand, RunCommand } from './command.ts';
import { compare } from './compare.ts';
import { k8s } from './k8s.ts';
import { methods } from './methods.ts';
import { open } from './open.ts';
import { price } from './price.ts';
import { report } from './report.ts';
import { run } from './run.ts';
import { site } from './site.ts';
import { verify } from './verify.ts';

/** All commands; `workload` measures the folder that the arguments name. @throws UserError if that can't be read. */
export function commandsFor(argv: readonly string[]): BenchCommand[] {
  const own = ownWorkloads();
  const workloads = [...own.map(workloadCommand), ...anyWorkload(argv, own)];
  const others = [verify, report, compare, open, site, k8s];
  const measuring = [...SUITES, ...workloads, run, ab, price, methods];
  const all = [...measuring.map(withDefaults), ...others];
  return IS_PACKAGE ? all.filter(({ name }) => !OF_A_CHECKOUT.includes(name)) : all;
}

/** Commands that measure servers which the npm package lacks. */
const OF_A_CHECKOUT = ['truth', 'price', 'methods'];

const WORKLOAD = 'workload';

/** The command that measures the workload of a named folder; without one, its help shows the defaults of another. */
function anyWorkload(argv: readonly string[], own: readonly LocalWorkload[]): RunCommand[] {
  const [command, folder] = operandsOf(argv);
  const named = command === WORKLOAD && folder !== undefined ? readWorkload(folder) : null;
  if (named !== null) requireTargets(named);
  const workload = named ?? own[0];
  if (workload === undefined) return [];
  const description = `measures a workload of yours: a folder of targets with a ${WORKLOAD_FILE}`;
  const operands = ['<folder>', 'the folder of the targets'] as const;
  return [{ ...workloadCommand(workload), name: WORKLOAD, description, operands }];
}

/** The command that measures a workload; each workload of this repository has one with its own name. */
function workloadCommand({ name, folder, workload }: LocalWorkload): RunCommand {
  const rates = ratesOn((asked) => workloadSubjects(workload, asked));
  const options = optionsOf('workload', workload.asPublished ? 'asPublished' : undefined);
  const without: readonly string[] = workload.withoutOptions;
  return {
    name,
    description: workload.question,
    options: options.filter((option) => !without.includes(option)),
    packages: folder,
    kindOf: (given) => (given.rate ? rates : workloadSuite(name, workload, given)),
  };
}

const SUITES: readonly RunCommand[] = [
  {
    name: 'frameworks',
    description: 'measures the frameworks and the floor they stand on, in every topology',
    options: optionsOf('suite', 'asPublished'),
    kindOf: ({ rate }) => (rate ? ratesOf('frameworks') : frameworks),
  },
  {
    name: 'cluster',
    description: 'measures a CPU-bound endpoint as one process and as clusters',
    options: optionsOf('suite', 'pm2Tax'),
    kindOf: ({ rate, pm2Tax: tax }) => (tax ? pm2Tax : rate ? ratesOf('cluster') : cluster),
  },
  {
    name: 'where',
    description:
      'shows where the CPU time of a request goes: kernel, native code, Node, each package',
    options: optionsOf('where'),
    kindOf: () => whereOf(frameworks),
  },
  {
    name: 'truth',
    description: 'measures servers whose cost is known, and says whether the harness finds it',
    options: ['where', 'profileDir', 'seed', 'out', 'quick', 'json'],
    kindOf: ({ where }) => (where ? truthWhere : truth),
  },
];

/** The command with the defaults of its kind of run in its help. */
function withDefaults(command: RunCommand): RunCommand {
  const { topologies, ...amounts } = command.kindOf({}).defaults({});
  const usual = {
    packages: relative(PROJECT, command.packages ?? PACKAGES),
    topology: topologies.join(),
    connections: amounts.connections,
    pipelining: amounts.pipelining,
    duration: amounts.durationS,
    slice: slicesText(command),
    launches: amounts.launches,
    warmup: amounts.warmupS,
    maxTime: amounts.maxTimeS,
    ...command.usual,
  };
  return { ...command, usual };
}

/** The default length of slices, which depends on other options. */
function slicesText({ options, kindOf }: RunCommand): string {
  const rate: Rate = { kind: 'per second', perS: 1 };
  const sliceS = (given: GivenOptions) => kindOf(given).defaults(given).sliceS;
  const texts = kindOf({}).isUnbroken ? [] : [`${sliceS({})}`];
  if (options.includes('rate')) {
    texts.push(`at one rate ${sliceS({ rate: [rate] })}`);
    texts.push(`at several ${sliceS({ rate: [rate, rate] })}`);
  }
  if (options.includes('pm2Tax')) texts.push(`with --pm2-tax ${sliceS({ pm2Tax: true })}`);
  return texts.join(', ');
}
