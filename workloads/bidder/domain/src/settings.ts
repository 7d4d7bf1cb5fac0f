/** What the environment chooses: what was published differs by these. */
export interface Settings {
  /** The candidates of one key, or ten ads repeated. */
  candidates: 'key' | 'repeated';
  /** What is in Redis. */
  format: 'msgpack' | 'json';
  /** 200 candidates, or 100 or 200 by chance. */
  choice: 'fixed' | 'random';
  /** An id and a link, or a whole OpenRTB bid. */
  answer: 'published' | 'full';
  /** Where requests and answers are written down. */
  log: 'none' | 'stream';
}

/** @throws for a value that is none of those. */
export function settingsFrom(env: NodeJS.ProcessEnv): Settings {
  return {
    candidates: oneOf(env, 'CANDIDATES', ['key', 'repeated']),
    format: oneOf(env, 'FORMAT', ['msgpack', 'json']),
    choice: oneOf(env, 'CHOICE', ['fixed', 'random']),
    answer: oneOf(env, 'ANSWER', ['published', 'full']),
    log: oneOf(env, 'BID_LOG', ['none', 'stream']),
  };
}

function oneOf<T extends string>(
  env: NodeJS.ProcessEnv,
  name: string,
  values: readonly [T, ...T[]],
): T {
  const said = env[name];
  if (said === undefined) return values[0];
  const value = values.find((each) => each === said);
  if (value === undefined) throw new Error(`${name}=${said} is none of ${values.join(', ')}`);
  return value;
}
