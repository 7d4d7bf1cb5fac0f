/** The words of the command line as a command with its options. */
import { Command, Option } from 'commander';
import { PROGRAM } from '../base/places.ts';
import {
  type GivenOptions,
  OPTION_TEXTS,
  OPTIONS,
  type OptionName,
  type OptionSpec,
} from './run-options.ts';

/** A command, as far as the command line and its help go. */
export interface CommandSpec {
  name: string;
  description: string;
  /** The options that it takes. */
  options: readonly OptionName[];
  /** What is named after it, and what that is; null for nothing. */
  operands: readonly [name: string, text: string] | null;
  /** What options come to where they are not given. */
  usual: Partial<Record<OptionName, string | number>>;
}

/** What the command line asks for. */
export interface Asked<Spec> {
  command: Spec;
  given: GivenOptions;
  /** What is named after the command. */
  words: string[];
  /** A command as it stands after `--`; null without one. */
  rest: string[] | null;
  /** Ends with this error, and says how to get help. @throws CommanderError */
  refuse(what: string): never;
}

/** What the arguments may be, and where help and errors go. */
export interface ParseContext<Spec> {
  commands: readonly Spec[];
  drivers: readonly string[];
  write: (text: string) => void;
  writeError: (text: string) => void;
}

/**
 * What these arguments (without node and script) ask for.
 * @throws CommanderError for a wrong argument, already explained through `writeError`, and for help,
 * already printed; its `exitCode` is 0 for help.
 */
export function parseArguments<Spec extends CommandSpec>(
  argv: readonly string[],
  { commands, drivers, write, writeError }: ParseContext<Spec>,
): Asked<Spec> {
  const asked: Asked<Spec>[] = [];
  const dashes = argv.indexOf('--');
  const own = dashes === -1 ? argv : argv.slice(0, dashes);
  const rest = dashes === -1 ? null : argv.slice(dashes + 1);
  const isLong = own.includes('--help');

  const program = new Command(PROGRAM)
    .description('What a Node web framework costs, and how many processes of it to run.')
    .helpOption('-h, --help', 'the options in short (-h) or at length (--help)')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: writeError })
    .showHelpAfterError('Add -h for the options, --help for the options at length.');

  const addOptions = (command: Command, { options, usual }: Spec) => {
    for (const name of options) {
      const isDriver = name === 'driver';
      const option = isDriver ? { ...OPTIONS.driver, choices: drivers } : OPTIONS[name];
      const [short = ''] = OPTION_TEXTS[name].split('. ');
      const text = isLong ? OPTION_TEXTS[name] : short;
      command.addOption(optionOf(option, text, isDriver ? drivers[0] : usual[name]));
    }
  };
  for (const spec of commands) {
    const command = program.command(spec.name).description(spec.description);
    if (spec.operands !== null) command.argument(...spec.operands);
    command.action(() => {
      const refuse = (what: string) => command.error(`error: ${what}`);
      asked.push({ command: spec, given: command.opts(), words: command.args, rest, refuse });
    });
  }
  // All options of all commands take a while.
  program.hook('preSubcommand', (_program, command) => {
    const spec = commands.find(({ name }) => name === command.name());
    if (spec !== undefined) addOptions(command, spec);
  });
  program.parse(own, { from: 'user' });
  return asked[0] ?? program.help({ error: true });
}

/** An option as Commander takes it; the default is only told in the help, where there is one. */
function optionOf(
  { flags, choices, parse }: OptionSpec,
  text: string,
  usual: string | number | undefined,
): Option {
  const option = new Option(flags, usual === undefined ? text : `${text} (default: ${usual})`);
  if (parse) option.argParser(parse);
  return choices ? option.choices(choices) : option;
}
