/** The words of a command line that records keep: a command that measures the same again. */
import { parseArgs } from 'node:util';
import { OPTIONS } from './run-options.ts';

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
    const text = changed?.(name, value) ?? value;
    if (!inlineValue) return [rawName, text];
    return [rawName + (rawName.startsWith('--') ? '=' : '') + text];
  });
  return [...words, ...(isSeeded ? [] : ['--seed', String(seed)]), ...added, ...rest];
}

/**
 * A command line that measures the same again, into a file of its own. It leaves out the values of variables, headers
 * and bodies, users in addresses, and names of machines.
 */
export function repeating(argv: readonly string[], seed: number): string[] {
  const value = (name: string, text: string) => PRIVATE.get(name)?.(text) ?? text;
  return rewritten(argv, { without: OUTPUT, value, seed });
}
