/** Commands that measure, and what they ask of a run. */
import { relative } from 'node:path';
import { PACKAGES, PROJECT } from '../base/places.ts';
import { repeating } from './command-words.ts';
import type { Rate } from './option-values.ts';
import type { CommandLine, CommandSpec } from './options.ts';
import { type GivenOptions, type RunKind, type RunOptions, runOptions } from './run-options.ts';

/** A command that measures. */
export interface RunCommand<Kind extends RunKind> extends CommandSpec {
  /** The default of `--packages`, where that is not `packages/`. */
  packages?: string;
  kindOf(given: GivenOptions): Kind;
}

/** What the command line asks of a run. */
export interface RunRequest extends Pick<CommandLine<unknown>, 'given' | 'words' | 'rest'> {
  argv: readonly string[];
  options: RunOptions;
  packages: string;
  /** The words that ask for the same again. */
  again: string[];
}

/** The kind of run that a command line names, and what it asks of it; with this seed, if none is given. */
export function runRequest<Kind extends RunKind>(
  argv: readonly string[],
  { command, given, words, rest, refuse }: CommandLine<RunCommand<Kind>>,
  seed: number,
): { kind: Kind; request: RunRequest } {
  const kind = command.kindOf(given);
  const packages = given.packages ?? command.packages ?? PACKAGES;
  const options = runOptions(kind, given, seed, refuse);
  const again = repeating(argv, options.seed);
  return { kind, request: { argv, given, words, rest, options, packages, again } };
}

/** Adds the defaults of its kind of run to the help of a command. */
export function runCommand<Kind extends RunKind>(command: RunCommand<Kind>): RunCommand<Kind> {
  const { topologies, ...amounts } = command.kindOf({}).defaults({});
  const usual: CommandSpec['usual'] = {
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
function slicesText({ options, kindOf }: RunCommand<RunKind>): string {
  const rate: Rate = { kind: 'per second', perS: 1 };
  const others: Record<string, GivenOptions> = {
    ...(options.includes('rate') && {
      'at one rate': { rate: [rate] },
      'at several': { rate: [rate, rate] },
    }),
    ...(options.includes('pm2Tax') && { 'with --pm2-tax': { pm2Tax: true } }),
  };
  const sliceS = (given: GivenOptions) => kindOf(given).defaults(given).sliceS;
  const texts = Object.entries(others).map(([when, given]) => `${when} ${sliceS(given)}`);
  return [...(kindOf({}).isUnbroken ? [] : [`${sliceS({})}`]), ...texts].join(', ');
}
