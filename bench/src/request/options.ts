import { relative } from 'node:path';
import { Command } from 'commander';
import { PROGRAM, ROOT } from '../base/places.ts';
import type { AskedChange } from '../targets/changes.ts';
import type { AskedRuntime } from '../targets/runtime.ts';
import { ALL_TOPOLOGIES, EQUIVALENCE, MAX_TIME_S } from './amounts.ts';
import { repeating } from './command-words.ts';
import { type Given, optionOf } from './option.ts';
import type { Rate, TopologyName } from './option-values.ts';
import {
  type GivenOptions,
  type OptionName,
  RUN_OPTIONS,
  type RunContext,
  type RunKind,
  type RunOptions,
  runOptions,
} from './run-options.ts';

/** A command that measures. */
export interface RunCommand<Kind extends RunKind> {
  name: string;
  description: string;
  /** The options that it takes. */
  options: readonly OptionName[];
  /** Where its targets are unless `--packages` says otherwise; null for where most are. */
  packages: string | null;
  /** What is named after its name: servers, each as one word or the last one after `--`; or a folder. */
  takes: 'servers' | 'folder' | null;
  /** What options of its own come to where they are not given. */
  usual: Partial<Record<OptionName, string | number>>;
  /** The kind of run that these options make of it. */
  kindOf(given: GivenOptions): Kind;
}

export interface VerifyOptions {
  targets: string[] | null;
  topologies: TopologyName[];
  packages: string;
  runtimes: AskedRuntime[];
  changes: AskedChange[];
}

/** How a report can be written. */
export const FORMATS = ['terminal', 'plain', 'markdown', 'html', 'csv', 'json'] as const;
export type Format = (typeof FORMATS)[number];

export interface ReportOptions {
  files: string[];
  format: Format;
  /** A file for the report, or null for stdout. */
  out: string | null;
  details: boolean;
  explain: boolean;
}

export interface SiteOptions {
  /** Where the pages go. */
  folder: string;
  /** Where the records are; null for where runs save them. */
  from: string | null;
}

/** Servers as the user names them. */
export interface NamedServers {
  /** Each in one word: a command, or a folder. */
  words: string[];
  /** A command as it stands after `--`; null without one. */
  command: string[] | null;
}

/** What the command line asks for. */
export type Request<Kind> =
  | {
      command: 'run';
      kind: Kind;
      options: RunOptions;
      given: GivenOptions;
      packages: string;
      servers: NamedServers;
      /** The words that ask for the same again. */
      again: string[];
    }
  | { command: 'verify'; options: VerifyOptions }
  | { command: 'report'; options: ReportOptions }
  | { command: 'open' }
  | { command: 'site'; options: SiteOptions };

/** Where the targets are unless `--packages` says otherwise, and what the arguments mean. */
export interface ParseContext<Kind extends RunKind> extends RunContext {
  packages: string;
  commands: readonly RunCommand<Kind>[];
  write: (text: string) => void;
  writeError: (text: string) => void;
}

/**
 * What these arguments (without node and script) ask for.
 * @throws CommanderError for a wrong argument, already explained through `writeError`, and for help,
 * already printed; its `exitCode` is 0 for help.
 */
export function parseArguments<Kind extends RunKind>(
  argv: string[],
  context: ParseContext<Kind>,
): Request<Kind> {
  const requests: Request<Kind>[] = [];
  const dashes = argv.indexOf('--');
  const own = dashes === -1 ? argv : argv.slice(0, dashes);
  const rest = dashes === -1 ? null : argv.slice(dashes + 1);
  const length = own.includes('--help') ? 'long' : 'short';

  const program = new Command(PROGRAM)
    .description('What a Node web framework costs, and how many processes of it to run.')
    .helpOption('-h, --help', 'the options in short (-h) or at length (--help)')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: context.write, writeErr: context.writeError })
    .showHelpAfterError('Add -h for the options, --help for the options at length.');

  for (const runCommand of context.commands) {
    const { name, description, options, takes, kindOf } = runCommand;
    const command = program.command(name).description(description);
    const told = usualValues(runCommand, context);
    const servers: NamedServers = { words: [], command: rest };
    if (takes === 'folder') command.argument('<folder>', 'the folder of the targets');
    if (takes === 'servers') {
      command
        .argument('[servers...]', 'commands in quotes, or folders; or one command after --')
        .hook('preAction', ({ args }) => {
          servers.words = args;
        });
    }
    for (const option of options) {
      const made = optionOf(RUN_OPTIONS[option], length, told[option]);
      command.addOption(option === 'driver' ? made.choices([...context.drivers]) : made);
    }
    command.action(() => {
      const given: GivenOptions = command.opts();
      const kind = kindOf(given);
      const packages = given.packages ?? runCommand.packages ?? context.packages;
      const asked = runOptions(kind, given, command, context);
      const again = repeating(argv, asked.seed);
      requests.push({
        ...{ command: 'run', kind, options: asked },
        ...{ given, packages, servers, again },
      });
    });
  }

  const usual = { targets: 'all', packages: 'packages', topology: ALL_TOPOLOGIES.join() };
  const verify = program.command('verify');
  verify
    .description('starts every target in every topology and checks its answers; measures nothing')
    .addOption(optionOf(RUN_OPTIONS.targets, length, usual.targets))
    .addOption(optionOf(RUN_OPTIONS.packages, length, usual.packages))
    .addOption(optionOf(RUN_OPTIONS.topology, length, usual.topology))
    .addOption(optionOf(RUN_OPTIONS.runtime, length, OWN_NODE))
    .addOption(optionOf(RUN_OPTIONS.with, length))
    .action(({ targets, topology, packages, runtime, with: changes }: GivenOptions) => {
      const options = {
        targets: targets ?? null,
        topologies: topology ?? ALL_TOPOLOGIES,
        packages: packages ?? context.packages,
        runtimes: runtime ?? [],
        changes: changes ?? [],
      };
      requests.push({ command: 'verify', options });
    });

  program
    .command('report')
    .description(
      'prints the tables of saved records again, or makes a page of them; measures nothing',
    )
    .argument('<files...>', 'records that runs have saved')
    .addOption(optionOf(REPORT_OPTIONS.format, length, 'terminal').choices([...FORMATS]))
    .addOption(optionOf(REPORT_OPTIONS.out, length))
    .addOption(optionOf(RUN_OPTIONS.json, length))
    .addOption(optionOf(RUN_OPTIONS.plain, length))
    .addOption(optionOf(RUN_OPTIONS.details, length))
    .addOption(optionOf(RUN_OPTIONS.explain, length))
    .action((files: string[], given: Given<typeof REPORT_OPTIONS> & GivenOptions) => {
      const short = given.json ? 'json' : given.plain ? 'plain' : null;
      const { format = short ?? 'terminal', out = null } = given;
      const { details = false, explain = false } = given;
      if (short !== null && format !== short) {
        program.error(`error: --${short} has no meaning beside --format ${format}`);
      }
      requests.push({ command: 'report', options: { files, format, out, details, explain } });
    });

  program
    .command('open')
    .description('shows the page of the latest run in the browser')
    .action(() => {
      requests.push({ command: 'open' });
    });

  program
    .command('site')
    .description('makes a folder of pages, with an index, out of a folder of records')
    .argument('<folder>', 'where the pages go')
    .addOption(optionOf(SITE_OPTIONS.from, length, 'results'))
    .action((folder: string, { from }: Given<typeof SITE_OPTIONS>) => {
      requests.push({ command: 'site', options: { folder, from: from ?? null } });
    });

  program.parse(own, { from: 'user' });
  const [request] = requests;
  return request ?? program.help({ error: true });
}

/** How `report` writes, and where. */
const REPORT_OPTIONS = {
  format: {
    flags: '--format <format>',
    short: 'how it is written',
    long: 'How the report is written: as tables for the terminal, in lines to be read aloud (plain), as Markdown, as a page (html), as a row for each cell in base units (csv), or as the record itself (json). Several records are put side by side on one page.',
    parse: (text: string): Format => FORMATS.find((each) => each === text) ?? 'terminal',
  },
  out: {
    flags: '-o, --out <file>',
    short: 'file for the report (default: stdout)',
    long: 'The file for the report. Default: stdout.',
    parse: String,
  },
};

/** Where `site` finds records. */
const SITE_OPTIONS = {
  from: {
    flags: '--from <folder>',
    short: 'the folder of the records',
    long: 'The folder of the records, each of which becomes a page.',
    parse: String,
  },
};

/** What targets run on where nothing is said. */
const OWN_NODE = "the harness's Node";

/** What options come to where they are not given, as the help tells it. */
function usualValues(
  command: RunCommand<RunKind>,
  { drivers }: RunContext,
): Partial<Record<OptionName, string | number>> {
  const { topologies, ...usual } = command.kindOf({}).defaults({});
  return {
    targets: 'those of the suite',
    packages: command.packages === null ? 'packages' : relative(ROOT, command.packages),
    topology: topologies.join(),
    runtime: OWN_NODE,
    cpuLimit: 'none',
    profileDir: 'none',
    connections: usual.connections,
    pipelining: usual.pipelining,
    driver: drivers[0],
    duration: usual.durationS,
    slice: slicesText(command),
    launches: usual.launches,
    warmup: usual.warmupS,
    maxTime: MAX_TIME_S,
    equivalence: `${EQUIVALENCE * 100}%`,
    ...command.usual,
  };
}

/** Slices are of other lengths by what else is asked for. */
function slicesText({ options, kindOf }: RunCommand<RunKind>): string {
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
