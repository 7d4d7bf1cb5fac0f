import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { messageOf } from '../base/errors.ts';
import type { Ports } from '../system/sockets.ts';
import { bytesOf, type Exchange } from '../targets/exchange.ts';
import type { ProbeResponse } from '../targets/expectation.ts';

/** A server broke its contract, so it can't be measured. */
export class ContractError extends Error {}

export class NoAnswer extends ContractError {}

export class LateAnswer extends NoAnswer {}

export interface Answer extends ProbeResponse {
  /** Those of its connection, which is still open; null if unknown. */
  ports: Ports | null;
  /** From the request to the end of the answer, ns. */
  ns: number;
}

const ANSWER_TIMEOUT_MS = 10_000;

/** A client for one request at a time, over one connection as long as the server keeps it open. */
export function clientOf(origin: string, signal: AbortSignal) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    /** Sends the request of an exchange, with these headers added. @throws NoAnswer; the signal's reason. */
    send: async (
      { request: { method, path, headers, body } }: Exchange,
      added: Record<string, string> = {},
    ): Promise<Answer> => {
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
          ports: client === undefined || server === undefined ? null : { client, server },
          ns: (performance.now() - begunMs) * 1e6,
        };
      } catch (cause) {
        signal.throwIfAborted();
        if (!limit.aborted) throw new NoAnswer(`it gave no answer: ${messageOf(cause)}`, { cause });
        throw new LateAnswer(`it gave no answer within ${ANSWER_TIMEOUT_MS / 1000} s`, { cause });
      }
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}
