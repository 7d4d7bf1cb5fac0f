import { Command, Option } from 'commander';
import { SUITES, type Suite } from '../targets/targets.ts';
import {
  DEFAULTS,
  EQUIVALENCE,
  MAX_TIME_S,
  METHODS,
  MIN_SLICE_S,
  MIN_WALL_S,
  PRICE,
  TAX_TARGETS,
  TRUTH,
} from './defaults.ts';
import { type OptionText, TEXT } from './option-texts.ts';
import {
  names,
  rates,
  seconds,
  share,
  type TopologyName,
  topologies,
  whole,
} from './option-values.ts';
import {
  type GivenOutputFlags,
  type GivenRunFlags,
  outputOptions,
  type RunOptions,
  runOptions,
  type Surroundings,
  selfOptions,
} from './run-options.ts';

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

/** Where the targets are unless `--packages` says otherwise, and what the arguments mean. */
export interface ParseContext extends Surroundings {
  packages: string;
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
      .addOption(option(TEXT.rate).argParser(rates))
      .addOption(option(TEXT.driver).choices(context.drivers).default(context.drivers[0]))
      .addOption(defaulted(option(TEXT.duration), full.durationS).argParser(seconds(MIN_SLICE_S)))
      .addOption(option(TEXT.slice).argParser(seconds(MIN_SLICE_S)))
      .addOption(option(TEXT.contiguous))
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
        const { packages, targets = given.pm2Tax ? TAX_TARGETS : null } = given;
        requests.push({ command: 'run', options, packages, targets });
      });
    if (suite === 'cluster') command.addOption(option(TEXT.pm2Tax));
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

interface GivenMethodsFlags extends GivenOutputFlags {
  repeats: number;
  seconds: number;
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
