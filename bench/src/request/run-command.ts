/** The commands that measure, and what they ask of a run. */
import { relative } from 'node:path';
import { PACKAGES, PROJECT } from '../base/places.ts';
import { EQUIVALENCE, MAX_TIME_S } from './amounts.ts';
import { repeating } from './command-words.ts';
import type { Rate } from './option-values.ts';
import type { Asked, CommandSpec } from './options.ts';
import {
  type GivenOptions,
  type RunContext,
  type RunKind,
  type RunOptions,
  runOptions,
} from './run-options.ts';

/** A command that measures. */
export interface RunCommand<Kind extends RunKind> extends CommandSpec {
  /** Where its targets are unless `--packages` says otherwise. */
  packages: string;
  /** The kind of run that these options make of it. */
  kindOf(given: GivenOptions): Kind;
}

/** What the command line asks of a run. */
export interface RunRequest extends Pick<Asked<unknown>, 'given' | 'words' | 'rest'> {
  options: RunOptions;
  packages: string;
  /** The words that ask for the same again. */
  again: string[];
}

/** What these arguments ask of the kind of run that they name. */
export function runRequest<Kind extends RunKind>(
  argv: readonly string[],
  { command, given, words, rest, refuse }: Asked<RunCommand<Kind>>,
  context: Omit<RunContext, 'refuse'>,
): { kind: Kind; request: RunRequest } {
  const kind = command.kindOf(given);
  const packages = given.packages ?? command.packages;
  const options = runOptions(kind, given, { ...context, refuse });
  const again = repeating(argv, options.seed);
  return { kind, request: { given, words, rest, options, packages, again } };
}

/** A command that measures, with what its options come to where they are not given. */
export function runCommand<Kind extends RunKind>({
  packages = PACKAGES,
  operands = null,
  usual = {},
  ...command
}: Pick<RunCommand<Kind>, 'name' | 'description' | 'options' | 'kindOf'> &
  Partial<RunCommand<Kind>>): RunCommand<Kind> {
  const defaults = command.kindOf({}).defaults({});
  return {
    ...command,
    packages,
    operands,
    usual: {
      targets: 'those of the suite',
      packages: relative(PROJECT, packages),
      topology: defaults.topologies.join(),
      runtime: OWN_NODE,
      cpuLimit: 'none',
      memoryLimit: 'none',
      p99: 'none',
      profileDir: 'none',
      generatorHosts: 'none',
      serverHost: 'none',
      connections: defaults.connections,
      pipelining: defaults.pipelining,
      duration: defaults.durationS,
      slice: slicesText(command),
      launches: defaults.launches,
      warmup: defaults.warmupS,
      maxTime: MAX_TIME_S,
      equivalence: `${EQUIVALENCE * 100}%`,
      path: '/',
      method: 'GET',
      seed: 'drawn and printed',
      out: 'results/<time>-<suite>.json',
      ...usual,
    },
  };
}

/** What targets run on where nothing is said. */
export const OWN_NODE = "the harness's Node";

/** Slices are of other lengths by what else is asked for. */
function slicesText({ options, kindOf }: Pick<RunCommand<RunKind>, 'options' | 'kindOf'>): string {
  const rate: Rate = { kind: 'per second', perS: 1 };
  const sliceS = (given: GivenOptions) => kindOf(given).defaults(given).sliceS;
  return [
    ...(kindOf({}).isUnbroken ? [] : [`${sliceS({})}`]),
    ...(options.includes('rate')
      ? [`at one rate ${sliceS({ rate: [rate] })}`, `at several ${sliceS({ rate: [rate, rate] })}`]
      : []),
    ...(options.includes('pm2Tax') ? [`with --pm2-tax ${sliceS({ pm2Tax: true })}`] : []),
  ].join(', ');
}
