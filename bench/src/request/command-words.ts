/** The words of a command line, as far as they are kept: what measures the same again. */
import { parseArgs } from 'node:util';
import { OPTIONS } from './run-options.ts';

/** Options whose values may be nobody else's business; what stays of each. */
const PRIVATE = new Map<string, (value: string) => string>([
  ['env', (value) => value.split('=')[0] ?? ''],
  ['header', (value) => `${value.split(':')[0]}: …`],
  ['body', () => '…'],
  ['generator-hosts', () => '…'],
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

/**
 * The words of a command that measures the same again: in the same order, into a file of its own. Values
 * of variables, headers and bodies, and users of addresses, stay out of it.
 */
export function repeating(argv: readonly string[], seed: number): string[] {
  const dashes = argv.indexOf('--');
  const own = dashes === -1 ? argv : argv.slice(0, dashes);
  const rest = dashes === -1 ? [] : argv.slice(dashes);
  const tokens = tokensOf(own);
  const words = tokens.flatMap((token) => {
    if (token.kind !== 'option') return token.kind === 'positional' ? [token.value] : [];
    const { name, rawName, value, inlineValue } = token;
    if (OUTPUT.has(name)) return [];
    if (value === undefined) return [rawName];
    const kept = PRIVATE.get(name)?.(value) ?? value;
    if (!inlineValue) return [rawName, kept];
    return [rawName + (rawName.startsWith('--') ? '=' : '') + kept];
  });
  const isSeeded = tokens.some((token) => token.kind === 'option' && token.name === 'seed');
  return [...words, ...(isSeeded ? [] : ['--seed', String(seed)]), ...rest];
}
