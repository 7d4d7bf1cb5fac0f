/** Parses a command line, and rewrites it for records and for other machines. */
import { parseArgs } from 'node:util';
import { Command, Option, type OutputConfiguration } from 'commander';
import { PROGRAM } from '../base/places.ts';
import { OPTION_TEXTS, OPTIONS, type OptionName, type OptionSpec } from './options.ts';
import type { GivenOptions } from './run-options.ts';

/** What the command line and its help need to know of a command. */
export interface CommandSpec {
  name: string;
  description: string;
  options: readonly OptionName[];
  /** What is named after it, and what that is. */
  operands?: readonly [name: string, text: string];
  /** Defaults for its help, where they differ from the usual ones of its options. */
  usual?: Partial<Record<OptionName, string | number | undefined>>;
}

export interface CommandLine {
  given: GivenOptions;
  /** What is named after the command. */
  words: string[];
  /** The words after `--`, which are a command; null without `--`. */
  rest: string[] | null;
  /** Prints this error and how to get help. @throws CommanderError */
  refuse(what: string): never;
}

/** What arguments (without node and script) ask for. @throws CommanderError after its output; `exitCode` 0 for help. */
export function parseArguments<Spec extends CommandSpec>(
  argv: readonly string[],
  commands: readonly Spec[],
  output: Pick<OutputConfiguration, 'writeOut' | 'writeErr'>,
): CommandLine & { command: Spec } {
  const asked: (CommandLine & { command: Spec })[] = [];
  const { own, rest } = splitAtDashes(argv);
  const isLong = own.includes('--help');

  const program = new Command(PROGRAM)
    .description('What a Node web framework costs, and how many processes of it to run.')
    .helpOption('-h, --help', 'show the options in short (-h) or at length (--help)')
    .helpCommand(false)
    .exitOverride()
    .configureOutput(output)
    .showHelpAfterError('Add -h for the options, or --help for the options at length.');
  for (const spec of commands) {
    const command = program.command(spec.name).description(spec.description);
    if (spec.operands) command.argument(...spec.operands);
    command.action(() => {
      const isGiven = ([name]: [string, unknown]) => command.getOptionValueSource(name) === 'cli';
      const given = Object.fromEntries(Object.entries(command.opts()).filter(isGiven));
      const refuse = (what: string) => command.error(`error: ${what}`);
      asked.push({ command: spec, given, words: command.args, rest, refuse });
    });
  }
  // To add the options of all commands would take a while.
  program.hook('preSubcommand', (_program, command) => {
    const spec = commands.find(({ name }) => name === command.name());
    for (const name of spec?.options ?? []) {
      const option: OptionSpec = OPTIONS[name];
      const usual = spec?.usual?.[name] ?? option.usual;
      command.addOption(optionOf({ ...option, usual }, name, isLong));
    }
  });
  program.parse(own, { from: 'user' });
  return asked[0] ?? program.help({ error: true });
}

function splitAtDashes(argv: readonly string[]) {
  const dashes = argv.indexOf('--');
  if (dashes === -1) return { own: argv, rest: null };
  return { own: argv.slice(0, dashes), rest: argv.slice(dashes + 1) };
}

/** An option for Commander; its default only appears in the help. */
function optionOf({ flags, choices, parse, usual }: OptionSpec, name: OptionName, isLong: boolean) {
  const [short = ''] = OPTION_TEXTS[name].split('. ');
  const text = isLong ? OPTION_TEXTS[name] : short;
  const option = new Option(flags, usual === undefined ? text : `${text} (default: ${usual})`);
  if (parse) option.argParser(parse);
  return choices ? option.choices(choices) : option;
}

/** Options whose values may be secret, and what records keep of them. */
const PRIVATE = new Map<string, (value: string) => string>([
  ['env', (value) => value.split('=')[0] ?? ''],
  ['header', (value) => `${value.split(':')[0]}: …`],
  ['body', () => '…'],
  ['generator-hosts', () => '…'],
  ['server-host', () => '…'],
  // `http://user:password@host` as `http://…@host`.
  ['url', (value) => value.replace(/^(\w+:\/\/)[^/]*@/, '$1…@')],
]);

const OUTPUT = new Set(['out', 'resume', 'profile-dir', 'json', 'plain', 'details', 'explain']);

const SHAPES = Object.fromEntries(
  Object.values(OPTIONS).map(({ flags }) => {
    const [, short, long = ''] = /^(?:-(\w), )?--([\w-]+)/.exec(flags) ?? [];
    const type: 'string' | 'boolean' = flags.includes('<') ? 'string' : 'boolean';
    return [long, short === undefined ? { type } : { type, short }];
  }),
);

/** Words as Commander takes them: a value is in the word after its option, or in the same. */
function tokensOf(words: readonly string[]) {
  const how = { options: SHAPES, strict: false, allowPositionals: true, tokens: true } as const;
  return parseArgs({ args: [...words], ...how }).tokens;
}

/** The words that are neither options nor their values: a command, and what is named after it. */
export function operandsOf(argv: readonly string[]): string[] {
  return tokensOf(argv).flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
}

interface Changes {
  /** Long names of options to leave out, with their values. */
  without: ReadonlySet<string>;
  /** What the value of an option becomes. */
  value?: (name: string, value: string) => string;
  operand?: (word: string) => string;
  /** The seed, if there is none yet. */
  seed: number;
  /** Words to add, before a command that stands after `--`. */
  added?: readonly string[];
}

/** A command line with these changes, in the same order; words after `--` stay as they are. */
export function rewritten(argv: readonly string[], changes: Changes): string[] {
  const { without, value: changed, operand = String, seed, added = [] } = changes;
  const { own, rest } = splitAtDashes(argv);
  const command = rest === null ? [] : ['--', ...rest];
  const tokens = tokensOf(own);
  const isSeeded = tokens.some((token) => token.kind === 'option' && token.name === 'seed');
  const words = tokens.flatMap((token) => {
    if (token.kind !== 'option') return token.kind === 'positional' ? [operand(token.value)] : [];
    const { name, rawName, value, inlineValue } = token;
    if (without.has(name)) return [];
    if (value === undefined) return [rawName];
    const text = changed?.(name, value) ?? value;
    if (!inlineValue) return [rawName, text];
    return [rawName + (rawName.startsWith('--') ? '=' : '') + text];
  });
  return [...words, ...(isSeeded ? [] : ['--seed', String(seed)]), ...added, ...command];
}

/** A command line that measures the same again, into a file of its own, without what may be secret. */
export function repeating(argv: readonly string[], seed: number): string[] {
  const value = (name: string, text: string) => PRIVATE.get(name)?.(text) ?? text;
  return rewritten(argv, { without: OUTPUT, value, seed });
}
