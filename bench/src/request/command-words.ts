/** Options whose values may be nobody else's business; what stays of each. */
const PRIVATE: Record<string, (value: string) => string> = {
  '--env': (value) => value.split('=')[0] ?? '',
  '--header': (value) => `${value.split(':')[0]}: …`,
  '--body': () => '…',
  '--url': withoutUser,
};
/** `http://user:password@host` as `http://…@host`. */
function withoutUser(url: string): string {
  return url.replace(/^(\w+:\/\/)[^/]*@/, '$1…@');
}

/** Options about what comes out, with the values that follow them. */
const OUTPUT: Record<string, number> = {
  ...{ '-o': 1, '--out': 1, '--profile-dir': 1 },
  ...{ '--json': 0, '--plain': 0, '--details': 0, '--explain': 0 },
};

/**
 * The words of a command that measures the same again: in the same order, into a file of its own. Values
 * of variables, headers and bodies, and users of addresses, stay out of it.
 */
export function repeating(argv: readonly string[], seed: number): string[] {
  const dashes = argv.indexOf('--');
  const own = dashes === -1 ? argv : argv.slice(0, dashes);
  const rest = dashes === -1 ? [] : argv.slice(dashes);
  const words: string[] = [];
  for (let index = 0; index < own.length; index++) {
    const word = own[index] ?? '';
    const [name = '', ...values] = word.split('=');
    const following = OUTPUT[name];
    if (following !== undefined) {
      if (values.length === 0) index += following;
      continue;
    }
    const kept = PRIVATE[name];
    if (kept === undefined) words.push(word);
    else if (values.length > 0) words.push(`${name}=${kept(values.join('='))}`);
    else words.push(name, kept(own[++index] ?? ''));
  }
  const isSeeded = words.some((word) => word === '--seed' || word.startsWith('--seed='));
  return [...words, ...(isSeeded ? [] : ['--seed', String(seed)]), ...rest];
}
