import type { Command } from 'commander';
import type { RunSuite, Suite } from '../targets/targets.ts';
import {
  type Amounts,
  DEFAULTS,
  EQUIVALENCE,
  MAX_TIME_S,
  MIN_SLICE_S,
  TAX_TOPOLOGIES,
} from './defaults.ts';
import type { Rate, TopologyName } from './option-values.ts';

/** Everything a measuring run can be told. */
export interface RunOptions extends Amounts {
  suite: RunSuite;
  topologies: TopologyName[];
  /** Requests at these rates in an open loop; null for closed loops. */
  rates: Rate[] | null;
  /** What sends requests at a rate. */
  driver: string;
  /** Each cell unbroken on processes of its own, instead of slices dealt round-robin. */
  contiguous: boolean;
  /** Two figures that differ by no more than this share are the same. */
  equivalence: number;
  /** Launches go on until every ratio is known to ± this share; null where their number is fixed. */
  until: { share: number; maxTimeNs: number } | null;
  seed: number;
  /** A file for the record, or null for `results/<time>-<suite>.json`. */
  out: string | null;
  json: boolean;
  details: boolean;
}

/** What flags can't say. */
export interface Surroundings {
  /** The names of what can send requests at a rate; the first sends unless another is asked for. */
  drivers: readonly [string, ...string[]];
  /** Draws a seed. */
  drawSeed: () => number;
}

/** What the flags of every command that measures say. */
export interface GivenOutputFlags {
  seed?: number;
  out?: string;
  json?: true;
  details?: true;
}

/** What the flags of a run say; absent where they were not given. */
export interface GivenRunFlags extends GivenOutputFlags {
  targets?: string[];
  topology: TopologyName[];
  packages: string;
  connections?: number;
  pipelining?: number;
  rate?: Rate[];
  driver: string;
  pm2Tax?: true;
  duration?: number;
  slice?: number;
  launches?: number;
  warmup?: number;
  contiguous?: true;
  until?: number;
  maxTime?: number;
  equivalence: number;
  quick?: true;
}

/**
 * What a run is to do, by its flags and the defaults of its kind. Flags that contradict each other are
 * told of through the command.
 * @throws CommanderError then.
 */
export function runOptions(
  suite: Suite,
  given: GivenRunFlags,
  command: Command,
  surroundings: Surroundings,
): RunOptions {
  const refuse = (what: string) => command.error(`error: ${what}`);
  const kind = kindOf(suite, given);
  const defaults = DEFAULTS[kind][given.quick ? 'quick' : 'full'];
  const contiguous = given.contiguous === true;
  for (const [flag, reason] of meaningless(kind, given, surroundings)) {
    refuse(`${flag} has no meaning ${reason}`);
  }
  const durationS = given.duration ?? defaults.durationS;
  const launches = given.launches ?? (contiguous ? 1 : defaults.launches);
  // A duration shorter than one default slice a launch shrinks the slices, not the launches.
  const unbroken = contiguous || kind === 'cluster';
  const sliceS = unbroken
    ? durationS
    : (given.slice ?? Math.min(defaults.sliceS, durationS / launches));
  const shortest = unbroken ? MIN_SLICE_S : Math.max(sliceS * launches, MIN_SLICE_S * launches);
  if (durationS < shortest * 0.999) {
    refuse(
      `-d ${durationS} is too short for ${launches} launches with a slice of at least ` +
        `${Math.max(sliceS, MIN_SLICE_S)} s each; raise -d to ${rounded(shortest)} or lower --launches or --slice`,
    );
  }
  return {
    suite: kind === 'pm2-tax' ? kind : suite,
    topologies: topologiesOf(kind, given, command),
    rates: given.rate ?? null,
    driver: given.driver,
    connections: given.connections ?? defaults.connections,
    pipelining: given.pipelining ?? defaults.pipelining,
    durationS,
    sliceS,
    launches,
    warmupS: given.warmup ?? defaults.warmupS,
    contiguous,
    equivalence: given.equivalence,
    until:
      given.until === undefined
        ? null
        : { share: given.until, maxTimeNs: (given.maxTime ?? MAX_TIME_S) * 1e9 },
    ...outputOptions(given, surroundings),
  };
}

/** What decides the defaults of a run: its suite, or what else it is about. */
type Kind = keyof typeof DEFAULTS;

function kindOf(suite: Suite, { rate, pm2Tax }: GivenRunFlags): Kind {
  if (pm2Tax) return 'pm2-tax';
  if (rate === undefined) return suite;
  return rate.length === 1 ? 'rate' : 'curve';
}

/** Flags that were given and can't do anything, each with why. */
function* meaningless(
  kind: Kind,
  given: GivenRunFlags,
  { drivers: [usual] }: Surroundings,
): Generator<[flag: string, reason: string]> {
  const { rate, slice, contiguous } = given;
  const rated = kind === 'rate' || kind === 'curve';
  if (contiguous && slice !== undefined) yield ['--slice', 'beside --contiguous; use -d'];
  if (given.maxTime !== undefined && given.until === undefined) {
    yield ['--max-time', 'without --until'];
  }
  if (rated && given.pipelining !== undefined) yield ['-p', 'beside --rate'];
  if (!rated && given.driver !== usual) yield ['--driver', 'without --rate'];
  if (kind === 'pm2-tax' && given.connections !== undefined) yield ['-c', 'beside --pm2-tax'];
  if (kind === 'pm2-tax' && given.pipelining !== undefined) yield ['-p', 'beside --pm2-tax'];
  if (kind === 'pm2-tax' && rate !== undefined) yield ['--rate', 'beside --pm2-tax'];
  if (kind === 'pm2-tax' && contiguous) yield ['--contiguous', 'beside --pm2-tax'];
  if (kind === 'cluster' && contiguous) yield ['--contiguous', 'here: the overload always is'];
  if (kind === 'cluster' && slice !== undefined) {
    yield ['--slice', 'here: slices are as long as the service time wants them'];
  }
}

/** As asked for; where nothing was, a manager's tax is that of every manager. */
function topologiesOf(kind: Kind, { topology }: GivenRunFlags, command: Command): TopologyName[] {
  const isDefault = command.getOptionValueSource('topology') === 'default';
  return kind === 'pm2-tax' && isDefault ? TAX_TOPOLOGIES : topology;
}

/** Of a run in which the harness measures itself. */
export function selfOptions(
  amounts: Amounts,
  given: GivenOutputFlags,
  surroundings: Surroundings,
): RunOptions {
  return {
    suite: 'truth',
    topologies: ['single'],
    rates: null,
    driver: surroundings.drivers[0],
    ...amounts,
    contiguous: false,
    equivalence: EQUIVALENCE,
    until: null,
    ...outputOptions(given, surroundings),
  };
}

/** What every command that measures is told. */
export function outputOptions(
  given: GivenOutputFlags,
  { drawSeed }: Pick<Surroundings, 'drawSeed'>,
) {
  return {
    seed: given.seed ?? drawSeed(),
    out: given.out ?? null,
    json: given.json ?? false,
    details: given.details ?? false,
  };
}

/** Without the digits that binary fractions add. */
function rounded(value: number): number {
  return Number(value.toPrecision(12));
}
