import { OPTIONS } from './run-options.ts';

/** Options whose values may be nobody else's business; what stays of each. */
const PRIVATE = new Map<string, (value: string) => string>([
  ['--env', (value) => value.split('=')[0] ?? ''],
  ['--header', (value) => `${value.split(':')[0]}: …`],
  ['--body', () => '…'],
  ['--url', withoutUser],
]);
/** `http://user:password@host` as `http://…@host`. */
function withoutUser(url: string): string {
  return url.replace(/^(\w+:\/\/)[^/]*@/, '$1…@');
}

/** Options about what comes out. */
const OUTPUT = new Set(['--out', '--profile-dir', '--json', '--plain', '--details', '--explain']);

/** The long name of every option that has a value, by each of its flags. */
const VALUED = new Map(
  Object.values(OPTIONS).flatMap(({ flags }) => {
    if (!flags.includes('<')) return [];
    const names = flags.match(/(?<!\S)--?[\w-]+/g) ?? [];
    return names.map((name) => [name, names.at(-1) ?? name] as const);
  }),
);

/** An option, or another word, which is an option without a value here. */
interface Token {
  name: string;
  words: string[];
  /** The same with another value, in as many words. */
  withValue(change: (value: string) => string): string[];
}

/** Words as Commander takes them: a value is in the word after its option, or in the same. */
function* tokensOf(words: readonly string[]): Generator<Token> {
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    const [flag = word] = /^(?:--[^=]+(?==)|-[^-])/.exec(word) ?? [];
    const name = VALUED.get(flag);
    if (name === undefined) {
      yield { name: word, words: [word], withValue: () => [word] };
    } else if (flag === word) {
      const value = words[++index] ?? '';
      yield { name, words: [word, value], withValue: (change) => [word, change(value)] };
    } else {
      const at = flag.length + (flag.startsWith('--') ? 1 : 0);
      const [head, value] = [word.slice(0, at), word.slice(at)];
      yield { name, words: [word], withValue: (change) => [head + change(value)] };
    }
  }
}

/** The words that are no options and no values of options: a command, and what is named after it. */
export function operandsOf(argv: readonly string[]): string[] {
  return [...tokensOf(argv)].map(({ name }) => name).filter((name) => !name.startsWith('-'));
}

/**
 * The words of a command that measures the same again: in the same order, into a file of its own. Values
 * of variables, headers and bodies, and users of addresses, stay out of it.
 */
export function repeating(argv: readonly string[], seed: number): string[] {
  const dashes = argv.indexOf('--');
  const own = dashes === -1 ? argv : argv.slice(0, dashes);
  const rest = dashes === -1 ? [] : argv.slice(dashes);
  const pieces = [...tokensOf(own)];
  const words = pieces.flatMap(({ name, words: all, withValue }) => {
    if (OUTPUT.has(name)) return [];
    const kept = PRIVATE.get(name);
    return kept === undefined ? all : withValue(kept);
  });
  const isSeeded = pieces.some(({ name }) => name === '--seed');
  return [...words, ...(isSeeded ? [] : ['--seed', String(seed)]), ...rest];
}
