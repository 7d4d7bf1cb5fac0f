/** The rungs, each one thing more than the one before it. */
export const RUNGS = ['text', 'json', 'params', 'body', 'hooks', 'log', 'token', 'row'] as const;
export type Rung = (typeof RUNGS)[number];

/** What a server can serve: a rung, or the branch in which a handler throws. */
export type Served = Rung | 'error';

const VALIDATORS = ['own', 'ajv'] as const;

/** What a server serves, decided once, when it starts. */
export interface Settings {
  serves: Served;
  /** Who validates a body: the framework's own way, or ajv called by hand, as in the floor. */
  validator: (typeof VALIDATORS)[number];
  /** Whether this rung is the one that is served, or below it. */
  has(rung: Rung): boolean;
  /** Whether an error may have to be answered. */
  mayFail: boolean;
}

/** What the environment asks for. @throws for a value that is none. */
export function settingsFrom({ RUNG = 'text', VALIDATOR = 'own' }: NodeJS.ProcessEnv): Settings {
  const serves = oneOf('RUNG', RUNG, [...RUNGS, 'error']);
  const height = serves === 'error' ? -1 : RUNGS.indexOf(serves);
  const has = (rung: Rung) => RUNGS.indexOf(rung) <= height;
  return {
    serves,
    validator: oneOf('VALIDATOR', VALIDATOR, VALIDATORS),
    has,
    mayFail: serves === 'error' || has('body'),
  };
}

function oneOf<T extends string>(name: string, value: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  throw new Error(`${name} is ${JSON.stringify(value)}, not one of ${choices.join(', ')}`);
}
