import { Agent, type IncomingMessage, request } from 'node:http';
import { messageOf } from '../base/errors.ts';
import type { LocalTarget } from '../targets/targets.ts';

/** What a server said to one request. */
export type Answer =
  | {
      state: 'answered';
      status: number;
      headers: IncomingMessage['headers'];
      body: Buffer;
      /** Whether the server closes the connection after it. */
      closes: boolean;
      /** Of its connection, which is still open. */
      ports: { client: number; server: number } | null;
      /** From the request to the end of the answer, ns. */
      ns: number;
    }
  | { state: 'failed'; message: string; isLate: boolean };

/** How long an answer may take. */
export const ANSWER_TIMEOUT_MS = 10_000;

/** Requests to one server, over one connection for as long as that lasts. */
export interface Asker extends Disposable {
  /** @throws the signal's reason when it is aborted. */
  ask(): Promise<Answer>;
}

/** Asks a server what its target is asked, with these headers besides. */
export function asker(
  origin: string,
  { request: { method, path } }: Pick<LocalTarget, 'request'>,
  signal: AbortSignal,
  headers: Record<string, string> = {},
): Asker {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    ask: async () => {
      const limit = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
      const begunMs = performance.now();
      try {
        const response = await new Promise<IncomingMessage>((resolve, reject) => {
          const over = AbortSignal.any([signal, limit]);
          request(origin + path, { agent, method, headers, signal: over })
            .once('response', resolve)
            .once('error', reject)
            .end();
        });
        const { localPort: client, remotePort: server } = response.socket;
        const body = Buffer.concat(await response.toArray());
        return {
          state: 'answered',
          status: response.statusCode ?? 0,
          headers: response.headers,
          body,
          closes: response.headers.connection === 'close',
          ports: client === undefined || server === undefined ? null : { client, server },
          ns: (performance.now() - begunMs) * 1e6,
        };
      } catch (error) {
        signal.throwIfAborted();
        const message = limit.aborted
          ? `it gave no answer within ${ANSWER_TIMEOUT_MS / 1000} s`
          : `it gave no answer: ${messageOf(error)}`;
        return { state: 'failed', message, isLate: limit.aborted };
      }
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}
