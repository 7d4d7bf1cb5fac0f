import { Command, InvalidArgumentError, Option } from 'commander';
import { type OptionText, TEXT } from './option-texts.ts';
import { type RunSuite, SUITES, type Suite } from './targets.ts';

/** `single`, `max`, or a number of cluster processes. */
export type TopologyName = 'single' | 'max' | number;

/** How much is measured; times in seconds, as the user gives them. */
interface Amounts {
  connections: number;
  pipelining: number;
  durationS: number;
  sliceS: number;
  launches: number;
  warmupS: number;
}

/** Everything a measuring run can be told. */
export interface RunOptions extends Amounts {
  suite: RunSuite;
  topologies: TopologyName[];
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

/** How two methods are compared. */
export interface MethodsOptions extends Pick<RunOptions, 'seed' | 'out' | 'json'> {
  /** Measurements by each method. */
  repeats: number;
  /** The wall time of each measurement, s. */
  wallS: number;
}

export interface VerifyOptions {
  targets: string[] | null;
  topologies: TopologyName[];
  packages: string;
}

export interface ReportOptions {
  file: string;
  json: boolean;
  details: boolean;
}

/** What the command line asks for. */
export type Request =
  | {
      command: 'run';
      options: RunOptions;
      packages: string;
      /** Names, or null for all targets of the suite. */
      targets: string[] | null;
    }
  | { command: 'truth'; options: RunOptions }
  | { command: 'price'; options: RunOptions }
  | { command: 'methods'; options: MethodsOptions }
  | { command: 'verify'; options: VerifyOptions }
  | { command: 'report'; options: ReportOptions };

/** What each suite does when nothing else is asked for; the loads of `full` are the published ones. */
export const DEFAULTS = {
  frameworks: {
    full: { connections: 1000, pipelining: 1, durationS: 30, sliceS: 1, launches: 6, warmupS: 1.5 },
    quick: {
      connections: 1000,
      pipelining: 1,
      durationS: 0.9,
      sliceS: 0.3,
      launches: 3,
      warmupS: 1,
    },
  },
  cluster: {
    full: { connections: 1000, pipelining: 10, durationS: 30, sliceS: 30, launches: 3, warmupS: 1 },
    quick: {
      connections: 1000,
      pipelining: 10,
      durationS: 6,
      sliceS: 6,
      launches: 3,
      warmupS: 0.5,
    },
  },
} satisfies Record<Suite, { full: Amounts; quick: Amounts }>;

/** What the harness measures itself with: the cost load, and about three minutes in all. */
export const TRUTH: Amounts = {
  connections: 100,
  pipelining: 10,
  durationS: 12.6,
  sliceS: 0.2,
  launches: 9,
  warmupS: 0.45,
};
/**
 * The same for the price of measuring: more rounds, an even number of launches, and a warm-up that
 * leaves nothing behind that a server does only once.
 */
const PRICE: Amounts = { ...TRUTH, durationS: 16, launches: 10, warmupS: 1.5 };
/** Two figures closer than this are the same, unless --equivalence says otherwise. */
export const EQUIVALENCE = 0.02;
/** How two methods are compared unless something else is asked for. */
const METHODS = { repeats: 6, wallS: 75 };
/** Less wall time has no room for a launch and a slice of each server. */
const MIN_WALL_S = 8;
/** `--until` ends here at the latest, unless --max-time says otherwise. */
const MAX_TIME_S = 3600;

const MIN_SLICE_S = 0.1;
const DAY_S = 86_400;
const MOST_PROCESSES = 256;

/** Where the targets are unless `--packages` says otherwise, and what the arguments mean. */
export interface ParseContext {
  packages: string;
  /** Draws a seed. */
  drawSeed: () => number;
  write: (text: string) => void;
  writeError: (text: string) => void;
}

/**
 * What these arguments (without node and script) ask for.
 * @throws CommanderError for a wrong argument, already explained through `writeError`, and for help,
 * already printed; its `exitCode` is 0 for help.
 */
export function parseArguments(argv: string[], context: ParseContext): Request {
  const requests: Request[] = [];
  const long = argv.includes('--help');
  const describe = (text: OptionText) => (long ? text.long : text.short);
  const option = (text: OptionText) => new Option(text.flags, describe(text));

  const program = new Command('pnpm bench')
    .description('What a Node web framework costs, and how many processes of it to run.')
    .helpOption('-h, --help', 'the options in short (-h) or at length (--help)')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: context.write, writeErr: context.writeError })
    .showHelpAfterError('Add -h for the options, --help for the options at length.');

  const withTargets = (command: Command) =>
    command
      .addOption(option(TEXT.targets).argParser(names))
      .addOption(option(TEXT.packages).default(context.packages, 'packages'));

  for (const suite of SUITES) {
    const { full } = DEFAULTS[suite];
    const command = program.command(suite).description(DESCRIPTION[suite]);
    withTargets(command)
      .addOption(
        option(TEXT.topology).argParser(topologies).default(ALL_TOPOLOGIES, 'single,max,2'),
      )
      .addOption(defaulted(option(TEXT.connections), full.connections).argParser(whole(1, 100_000)))
      .addOption(defaulted(option(TEXT.pipelining), full.pipelining).argParser(whole(1, 1000)))
      .addOption(defaulted(option(TEXT.duration), full.durationS).argParser(seconds(MIN_SLICE_S)))
      .addOption(defaulted(option(TEXT.launches), full.launches).argParser(whole(1, 1000)))
      .addOption(defaulted(option(TEXT.warmup), full.warmupS).argParser(seconds(0)))
      .addOption(option(TEXT.until).argParser(share))
      .addOption(defaulted(option(TEXT.maxTime), MAX_TIME_S).argParser(seconds(1)))
      .addOption(option(TEXT.equivalence).argParser(share).default(EQUIVALENCE, '2%'))
      .addOption(option(TEXT.seed).argParser(whole(0, 2 ** 31 - 1)))
      .addOption(option(TEXT.out))
      .addOption(option(TEXT.quick))
      .addOption(option(TEXT.json))
      .addOption(option(TEXT.details))
      .action((given: GivenRunFlags) => {
        const options = runOptions(suite, given, command, context);
        const { packages, targets = null } = given;
        requests.push({ command: 'run', options, packages, targets });
      });
    // A CPU-bound target can't be sliced: its dead work would leak into the next slice.
    if (suite !== 'cluster') {
      command
        .addOption(defaulted(option(TEXT.slice), full.sliceS).argParser(seconds(MIN_SLICE_S)))
        .addOption(option(TEXT.contiguous));
    }
  }

  program
    .command('truth')
    .description('measures servers whose cost is known, and says whether the harness finds it')
    .addOption(option(TEXT.seed).argParser(whole(0, 2 ** 31 - 1)))
    .addOption(option(TEXT.out))
    .addOption(option(TEXT.json))
    .action((given: GivenOutputFlags) => {
      requests.push({ command: 'truth', options: selfOptions(TRUTH, given, context) });
    });

  program
    .command('price')
    .description('measures what the harness itself adds to the cost of a server')
    .addOption(option(TEXT.seed).argParser(whole(0, 2 ** 31 - 1)))
    .addOption(option(TEXT.out))
    .addOption(option(TEXT.json))
    .action((given: GivenOutputFlags) => {
      requests.push({ command: 'price', options: selfOptions(PRICE, given, context) });
    });

  program
    .command('methods')
    .description('compares the usual way with slices: how far apart repeats of each come out')
    .addOption(option(TEXT.repeats).argParser(whole(1, 1000)).default(METHODS.repeats))
    .addOption(option(TEXT.seconds).argParser(seconds(MIN_WALL_S)).default(METHODS.wallS))
    .addOption(option(TEXT.seed).argParser(whole(0, 2 ** 31 - 1)))
    .addOption(option(TEXT.out))
    .addOption(option(TEXT.json))
    .action((given: GivenMethodsFlags) => {
      const { repeats, seconds: wallS } = given;
      const options = { repeats, wallS, ...outputOptions(given, context) };
      requests.push({ command: 'methods', options });
    });

  withTargets(program.command('verify'))
    .description('starts every target in every topology and checks its answers; measures nothing')
    .addOption(option(TEXT.topology).argParser(topologies).default(ALL_TOPOLOGIES, 'single,max,2'))
    .action((given: GivenVerifyFlags) => {
      const { topology, packages } = given;
      const options = { targets: given.targets ?? null, topologies: topology, packages };
      requests.push({ command: 'verify', options });
    });

  program
    .command('report')
    .description('prints the tables of a saved record again; measures nothing')
    .argument('<file>', 'a record that a run has saved')
    .addOption(option(TEXT.json))
    .addOption(option(TEXT.details))
    .action((file: string, given: { json?: true; details?: true }) => {
      const options = { file, json: given.json ?? false, details: given.details ?? false };
      requests.push({ command: 'report', options });
    });

  program.parse(argv, { from: 'user' });
  const [request] = requests;
  return request ?? program.help({ error: true });
}

const ALL_TOPOLOGIES: TopologyName[] = ['single', 'max', 2];

const DESCRIPTION: Record<Suite, string> = {
  frameworks: 'measures the frameworks and the floor they stand on, in every topology',
  cluster: 'measures a CPU-bound endpoint as one process and as clusters',
};

interface GivenOutputFlags {
  seed?: number;
  out?: string;
  json?: true;
  details?: true;
}

interface GivenMethodsFlags extends GivenOutputFlags {
  repeats: number;
  seconds: number;
}

interface GivenRunFlags extends GivenOutputFlags {
  targets?: string[];
  topology: TopologyName[];
  packages: string;
  connections?: number;
  pipelining?: number;
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

interface GivenVerifyFlags {
  targets?: string[];
  topology: TopologyName[];
  packages: string;
}

/** Shows the default in the help, without setting it: `--quick` has others. */
function defaulted(option: Option, value: number): Option {
  option.description += ` (default: ${value})`;
  return option;
}

function runOptions(
  suite: Suite,
  given: GivenRunFlags,
  command: Command,
  context: ParseContext,
): RunOptions {
  const defaults = DEFAULTS[suite][given.quick ? 'quick' : 'full'];
  const contiguous = suite === 'cluster' || given.contiguous === true;
  if (contiguous && given.slice !== undefined) {
    command.error('error: --slice has no meaning beside --contiguous; use -d');
  }
  const durationS = given.duration ?? defaults.durationS;
  const launches =
    given.launches ?? (given.contiguous && suite !== 'cluster' ? 1 : defaults.launches);
  // A duration shorter than one default slice a launch shrinks the slices, not the launches.
  const sliceS = contiguous
    ? durationS
    : (given.slice ?? Math.min(defaults.sliceS, durationS / launches));
  const shortest = contiguous ? MIN_SLICE_S : Math.max(sliceS * launches, MIN_SLICE_S * launches);
  if (durationS < shortest * 0.999) {
    command.error(
      `error: -d ${durationS} is too short for ${launches} launches with a slice of at least ` +
        `${Math.max(sliceS, MIN_SLICE_S)} s each; raise -d to ${rounded(shortest)} or lower --launches or --slice`,
    );
  }
  if (given.maxTime !== undefined && given.until === undefined) {
    command.error('error: --max-time has no meaning without --until');
  }
  return {
    suite,
    topologies: given.topology,
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
    ...outputOptions(given, context),
  };
}

/** Of a run in which the harness measures itself. */
function selfOptions(amounts: Amounts, given: GivenOutputFlags, context: ParseContext): RunOptions {
  return {
    suite: 'truth',
    topologies: ['single'],
    ...amounts,
    contiguous: false,
    equivalence: EQUIVALENCE,
    until: null,
    ...outputOptions(given, context),
  };
}

function outputOptions(given: GivenOutputFlags, { drawSeed }: ParseContext) {
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

function whole(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`);
  };
}

function seconds(min: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== '' && value >= min && value <= DAY_S) return value;
    throw new InvalidArgumentError(`Give a number of seconds from ${min} to ${DAY_S}.`);
  };
}

/** `2%`, as a share. */
function share(text: string): number {
  const percent = Number(/^(\d+(?:\.\d+)?)%$/.exec(text)?.[1]);
  if (percent > 0 && percent < 100) return percent / 100;
  throw new InvalidArgumentError('Give a percentage such as 2%.');
}

function names(text: string): string[] {
  const list = text.split(',').map((name) => name.trim());
  if (list.includes('')) throw new InvalidArgumentError('Give names separated by commas.');
  return [...new Set(list)];
}

function topologies(text: string): TopologyName[] {
  const list = names(text).map((name) => {
    if (name === 'single' || name === 'max') return name;
    const processes = Number(name);
    if (/^\d+$/.test(name) && processes >= 1 && processes <= MOST_PROCESSES) return processes;
    throw new InvalidArgumentError(
      `"${name}" is no topology. Give "single", "max" or a number of processes from 1 to ${MOST_PROCESSES}.`,
    );
  });
  return [...new Set(list)];
}
