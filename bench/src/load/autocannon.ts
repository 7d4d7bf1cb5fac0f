/** The only file that knows autocannon, and works around what it does by itself. */
import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import autocannon from 'autocannon';
import { bytesOf } from '../targets/exchange.ts';
import {
  AnswerCheck,
  type AnswerKind,
  type ExpectedAnswer,
  expectedAnswer,
} from './answer-check.ts';
import type { RequestCursor } from './mix.ts';
import type { EndlessOrder } from './protocol.ts';

/** autocannon looks at its stop flag once in this time. */
const STOP_CHECK_MS = 20;
/** A day: a slice ends by our own clock, never by autocannon's. */
const LONGER_THAN_ANY_SLICE_S = 86_400;

/** A client, which keeps as many requests in flight on its connection as are pipelined. */
export interface Client {
  /** The connection that it has now; one that breaks is replaced. */
  readonly conn: Socket;
  /** Writes the next request of its cursor. */
  send(): void;
}

export interface ClientEvents {
  /** The connection was replaced: what was in flight is lost, timed out if nothing had come for so long. */
  onLost(ending: 'timedOut' | 'disconnected'): void;
  /** One more request may be sent on the connection, now or later. */
  onRoom(): void;
  /** An answer to the request at this place of the order's list; bytes are those of head and body. */
  onAnswer(kind: AnswerKind, answer: { place: number; bytes: number; latencyNs: number }): void;
  onError(error: Error): void;
}

/** Connections under load. */
export type Connections = ReturnType<typeof openConnections>;

/** A request in the bytes that a client writes. */
interface Written {
  requestBuffer: Buffer;
  /** Its index in the order's list. */
  place: number;
  expected: ExpectedAnswer;
}

/** The internals of autocannon's client. */
interface Internals {
  conn: Socket;
  /** Of the time-out, which starts again with each request, ms. */
  timeout: number;
  timeoutTicker: { reschedule(ms: number): void };
  destroy(): void;
  /** Called for each request that is to be sent: once a connection is made, and after each answer. */
  _doRequest(): void;
  requestIterator: {
    requestBuilder(request: object, context: object): Buffer;
    /** Called for an answer before the client emits `response`. */
    recordBody(request: Written, status: number): void;
  };
  pipelinedRequests: {
    clear(): void;
    size(): number;
    peek(): { req: Written } | undefined;
    insertRequest(request: Written): void;
    addBody(chunk: Buffer): void;
  };
}

type InternalClient = autocannon.Client & Internals & EventEmitter;

/**
 * Opens a connection for each of these cursors with the order's load, and has each client followed before it connects.
 * Once closed, the cursors are behind the last request that was answered.
 */
export function openConnections(
  order: EndlessOrder,
  cursors: readonly RequestCursor[],
  follow: (client: Client) => ClientEvents,
) {
  const ended = Promise.withResolvers<void>();
  const clients: { client: InternalClient; cursor: RequestCursor }[] = [];
  let written: Written[] | null = null;
  const instance = autocannon(
    {
      url: order.origin,
      connections: cursors.length,
      pipelining: order.pipelining,
      duration: LONGER_THAN_ANY_SLICE_S,
      timeout: order.timeoutNs / 1e9,
      sampleInt: STOP_CHECK_MS,
      skipAggregateResult: true,
      setupClient: (client) => {
        const cursor = cursors[clients.length];
        if (!hasInternals(client) || cursor === undefined) {
          throw new Error('this version of autocannon has other clients');
        }
        written ??= writtenBy(client, order);
        clients.push({ client, cursor });
        instrument(client, written, cursor, follow);
      },
    },
    (error) => (error ? ended.reject(error) : ended.resolve()),
  );
  return {
    /** Ends the load and closes every connection, at once. */
    close: () => {
      // By itself autocannon would go on until it looks at its flag again.
      for (const { client, cursor } of clients.splice(0)) {
        cursor.back(client.pipelinedRequests.size());
        client.destroy();
      }
      instance.stop();
    },
    /** Resolves once autocannon has noticed that, and does nothing any more. */
    ended: ended.promise,
  };
}

function hasInternals(client: autocannon.Client): client is InternalClient {
  return ['pipelinedRequests', 'requestIterator', '_doRequest'].every((key) => key in client);
}

/** The order's requests as autocannon writes them, made once for all clients. */
function writtenBy({ requestIterator }: InternalClient, { requests }: EndlessOrder): Written[] {
  return requests.map((exchange, place) => {
    const { body, ...head } = exchange.request;
    const request = { ...head, ...(body && { body: bytesOf(body) }) };
    const requestBuffer = requestIterator.requestBuilder(request, {});
    return { requestBuffer, place, expected: expectedAnswer(exchange) };
  });
}

/**
 * Has a client send when it is told to and what its cursor says, and compares answers byte for byte. By itself
 * autocannon sends at once, has the same requests on every connection, carries a stale queue over to a new one, and
 * decodes each chunk of a body as text, which breaks characters that are split.
 */
function instrument(
  client: InternalClient,
  written: readonly Written[],
  cursor: RequestCursor,
  follow: (client: Client) => ClientEvents,
): void {
  const { pipelinedRequests } = client;
  const check = new AnswerCheck();
  let connection: Socket | null = null;
  let answer: { kind: AnswerKind; place: number } = { kind: 'ok', place: 0 };
  const events = follow({
    get conn() {
      return client.conn;
    },
    send: () => {
      const request = written[cursor.next()];
      if (request === undefined) throw new Error('a cursor over the requests of another order');
      pipelinedRequests.insertRequest(request);
      client.conn.write(request.requestBuffer);
      client.timeoutTicker.reschedule(client.timeout);
    },
  });
  client._doRequest = () => {
    if (connection !== null && client.conn !== connection) {
      pipelinedRequests.clear();
      // A body that was cut off with its connection is not continued on the next one.
      check.reset();
      events.onLost(hasTimedOut(connection) ? 'timedOut' : 'disconnected');
    }
    connection = client.conn;
    events.onRoom();
  };
  pipelinedRequests.addBody = (chunk) => {
    const pending = pipelinedRequests.peek();
    if (pending !== undefined) check.add(chunk, pending.req.expected);
  };
  client.requestIterator.recordBody = ({ place, expected }, status) => {
    answer = { kind: check.end(status, expected), place };
  };
  client.on('response', (_status, bytes, latencyMs) => {
    events.onAnswer(answer.kind, { place: answer.place, bytes, latencyNs: latencyMs * 1e6 });
  });
  client.on('connError', (error: Error) => events.onError(error));
}

/** Whether autocannon gave up a connection. Only then it is closed from this side, before it has ended or failed. */
function hasTimedOut({ destroyed, errored, readableEnded }: Socket): boolean {
  return destroyed && errored === null && !readableEnded;
}
