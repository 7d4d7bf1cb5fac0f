/** The words of a command line, as far as they are kept: what measures the same again. */
import { parseArgs } from 'node:util';
import { OPTIONS } from './run-options.ts';

/** Options whose values may be nobody else's business; what stays of each. */
const PRIVATE = new Map<string, (value: string) => string>([
  ['env', (value) => value.split('=')[0] ?? ''],
  ['header', (value) => `${value.split(':')[0]}: …`],
  ['body', () => '…'],
  ['generator-hosts', () => '…'],
  ['server-host', () => '…'],
  // `http://user:password@host` as `http://…@host`.
  ['url', (value) => value.replace(/^(\w+:\/\/)[^/]*@/, '$1…@')],
]);

/** Options about what comes out. */
const OUTPUT = new Set(['out', 'profile-dir', 'json', 'plain', 'details', 'explain']);

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

/** The words that are no options and no values of options: a command, and what is named after it. */
export function operandsOf(argv: readonly string[]): string[] {
  return tokensOf(argv).flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
}

/** How words become others. */
interface Changes {
  /** Long names of options that go, with their values. */
  without: ReadonlySet<string>;
  /** What stays of the value of an option. */
  value?: (name: string, value: string) => string;
  operand?: (word: string) => string;
  /** The seed where they name none. */
  seed: number;
  /** What comes after all others, before a command that stands after `--`. */
  added?: readonly string[];
}

/** The words of a command in the same order, changed; those after `--` stay as they are. */
export function rewritten(
  argv: readonly string[],
  {
    without,
    value: kept = (_name, value) => value,
    operand = (word) => word,
    seed,
    added = [],
  }: Changes,
): string[] {
  const dashes = argv.indexOf('--');
  const own = dashes === -1 ? argv : argv.slice(0, dashes);
  const rest = dashes === -1 ? [] : argv.slice(dashes);
  const tokens = tokensOf(own);
  const isSeeded = tokens.some((token) => token.kind === 'option' && token.name === 'seed');
  const words = tokens.flatMap((token) => {
    if (token.kind !== 'option') return token.kind === 'positional' ? [operand(token.value)] : [];
    const { name, rawName, value, inlineValue } = token;
    if (without.has(name)) return [];
    if (value === undefined) return [rawName];
    const text = kept(name, value);
    if (!inlineValue) return [rawName, text];
    return [rawName + (rawName.startsWith('--') ? '=' : '') + text];
  });
  return [...words, ...(isSeeded ? [] : ['--seed', String(seed)]), ...added, ...rest];
}

/**
 * The words of a command that measures the same again: in the same order, into a file of its own. Values
 * of variables, headers and bodies, users of addresses, and names of machines, stay out of it.
 */
export function repeating(argv: readonly string[], seed: number): string[] {
  const value = (name: string, text: string) => PRIVATE.get(name)?.(text) ?? text;
  return rewritten(argv, { without: OUTPUT, value, seed });
}
