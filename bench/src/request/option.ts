/** What an option of the command line is, and what those that were given come to. */
import { Option } from 'commander';

/** An option's flags and texts: `-h` prints the short one, `--help` the long one. */
interface OptionText {
  flags: string;
  short: string;
  long: string;
}

/** An option with a value. */
export interface Valued<Value> extends OptionText {
  /** Of an option that may be given several times, with what came before. */
  parse: (text: string, before?: Value) => Value;
}

/**
 * The values of options by name; absent where they were not given. Of those without a value true, and of
 * one that begins with `--no-` false.
 */
export type Given<Options extends Record<string, OptionText>> = {
  [Name in keyof Options]?: Options[Name] extends Valued<infer Value> ? Value : boolean;
};

/** An option as Commander takes it; the default is only told in the help, where there is one. */
export function optionOf(
  option: OptionText | Valued<unknown>,
  length: 'short' | 'long',
  byDefault?: string | number,
): Option {
  const suffix = byDefault === undefined ? '' : ` (default: ${byDefault})`;
  const made = new Option(option.flags, option[length] + suffix);
  return 'parse' in option ? made.argParser(option.parse) : made;
}
