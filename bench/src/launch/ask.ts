import { Agent, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { messageOf } from '../base/errors.ts';
import { bytesOf, type Exchange } from '../targets/exchange.ts';

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
  /** Sends what an exchange says, with these headers besides. @throws the signal's reason when it is aborted. */
  ask(exchange: Pick<Exchange, 'request'>, headers?: Record<string, string>): Promise<Answer>;
}

/** Asks a server one request at a time. */
export function asker(origin: string, signal: AbortSignal): Asker {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    ask: async ({ request: sent }, besides = {}) => {
      const limit = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
      const begunMs = performance.now();
      try {
        const { method, path } = sent;
        const body = sent.body && bytesOf(sent.body);
        const length = body && { 'content-length': body.length };
        const response = await new Promise<IncomingMessage>((resolve, reject) => {
          request(origin + path, {
            agent,
            method,
            headers: { ...sent.headers, ...length, ...besides },
            signal: AbortSignal.any([signal, limit]),
          })
            .once('response', resolve)
            .once('error', reject)
            .end(body);
        });
        const { localPort: client, remotePort: server } = response.socket;
        const answered = await buffer(response);
        return {
          state: 'answered',
          body: answered,
          status: response.statusCode ?? 0,
          headers: response.headers,
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
