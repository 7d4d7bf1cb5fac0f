/** Where a server is to listen. */
export function placeFrom({ HOST = '127.0.0.1', PORT }: NodeJS.ProcessEnv, usual: number) {
  return { host: HOST, port: Number(PORT ?? usual) };
}

/** Says why a server does not start, and ends it. */
export function giveUp(error: unknown): never {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

/** Calls this once the process is told to end. */
export function onEnd(end: () => unknown): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, end);
}

/**
 * As long as Fastify keeps a connection by itself, for the others too: by default they close one that has
 * rested for 5 s, while others were under load.
 */
export const KEEP_ALIVE_MS = 72_000;
