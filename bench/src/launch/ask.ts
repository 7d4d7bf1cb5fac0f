import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { messageOf } from '../base/errors.ts';
import { bytesOf, type Exchange } from '../targets/exchange.ts';

/** Why a server can't be measured as it answers. */
export class Breach extends Error {}

/** It gave none. */
export class NoAnswer extends Breach {
  /** Whether it had all the time that an answer may take. */
  readonly isLate: boolean;

  constructor(message: string, isLate: boolean, cause: unknown) {
    super(message, { cause });
    this.isLate = isLate;
  }
}

/** What a server said to one request. */
export interface Answer {
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

/** How long an answer may take. */
const ANSWER_TIMEOUT_MS = 10_000;

/** Requests to one server, over one connection for as long as that lasts. */
export interface Asker extends Disposable {
  /** Sends what an exchange says, with these headers besides. @throws NoAnswer; the signal's reason when it is aborted. */
  ask(exchange: Pick<Exchange, 'request'>, headers?: Record<string, string>): Promise<Answer>;
}

/** Asks a server one request at a time. */
export function asker(origin: string, signal: AbortSignal): Asker {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    ask: async ({ request: { method, path, headers, body } }, besides = {}) => {
      const limit = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
      const bytes = body && bytesOf(body);
      const options = {
        ...{ agent, method, signal: AbortSignal.any([signal, limit]) },
        headers: { ...headers, ...(bytes && { 'content-length': bytes.length }), ...besides },
      };
      const begunMs = performance.now();
      try {
        const sent = request(origin + path, options).end(bytes);
        const [response]: IncomingMessage[] = await once(sent, 'response');
        if (response === undefined) throw new Error('an event without a response');
        const { localPort: client, remotePort: server } = response.socket;
        return {
          body: await buffer(response),
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
        throw new NoAnswer(message, limit.aborted, error);
      }
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}
