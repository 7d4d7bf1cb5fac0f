/** What the variants of a server differ in. */
export interface Settings {
  /** The list by one query, or by one and so many more for each post. */
  queries: 'join' | '1' | '3' | '5';
  /** Whole queries as text, or statements that each connection prepares once and keeps. */
  statements: 'interpolated' | 'prepared-once';
}

/** The settings that the environment names; what it does not name has its default. */
export function settings({
  QUERIES = 'join',
  STATEMENTS = 'interpolated',
}: NodeJS.ProcessEnv): Settings {
  return {
    queries: oneOf('QUERIES', QUERIES, ['join', '1', '3', '5']),
    statements: oneOf('STATEMENTS', STATEMENTS, ['interpolated', 'prepared-once']),
  };
}

/** @throws for a value that is none of these. */
export function oneOf<T extends string>(name: string, value: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  throw new Error(`${name} is ${JSON.stringify(value)}, not one of ${choices.join(', ')}`);
}

/** What the environment has to say. @throws where it does not. */
export function required(name: string): string {
  const value = process.env[name];
  if (value !== undefined) return value;
  throw new Error(`${name} is not in the environment`);
}
