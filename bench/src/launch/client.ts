import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { messageOf } from '../base/errors.ts';
import type { Ports } from '../system/sockets.ts';
import { bytesOf, type Exchange } from '../targets/exchange.ts';
import type { ProbeResponse } from '../targets/expectation.ts';

/** A server breaks its contract, so it can't be measured. */
export class ContractError extends Error {}

/** A server gave no answer. */
export class NoAnswer extends ContractError {
  /** Whether it had all the time that an answer may take. */
  isLate = false;
}

/** What a server answered to one request. */
export interface Answer extends ProbeResponse {
  /** Whether the server closes the connection after it. */
  closes: boolean;
  /** Of its connection, which is still open; null where that is unknown. */
  ports: Ports | null;
  /** From the request to the end of the answer, ns. */
  ns: number;
}

/** How long an answer may take. */
const ANSWER_TIMEOUT_MS = 10_000;

/** Sends requests to one server, over one connection for as long as that lasts. */
export interface Client extends Disposable {
  /**
   * Sends the request of an exchange, with these headers added.
   * @throws NoAnswer; the signal's reason when it is aborted.
   */
  send(exchange: Pick<Exchange, 'request'>, added?: Record<string, string>): Promise<Answer>;
}

/** A client of a server, for one request at a time. */
export function clientOf(origin: string, signal: AbortSignal): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    send: async ({ request: { method, path, headers, body } }, added = {}) => {
      const limit = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
      const bytes = body && bytesOf(body);
      const length = bytes && { 'content-length': bytes.length };
      const options = {
        agent,
        method,
        headers: { ...headers, ...length, ...added },
        signal: AbortSignal.any([signal, limit]),
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
        const noAnswer = new NoAnswer(message, { cause: error });
        noAnswer.isLate = limit.aborted;
        throw noAnswer;
      }
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}
