/** The only file that knows autocannon and its quirks. */
import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import autocannon from 'autocannon';
import { AnswerCheck, type AnswerKind, loadRequest } from './answer-check.ts';
import type { RequestCursor } from './mix.ts';
import type { EndlessOrder } from './protocol.ts';

/** How often autocannon checks whether all its connections are closed. */
const STOP_CHECK_MS = 20;
/** A day: our own clock ends a slice, never autocannon's. */
const LONGER_THAN_ANY_SLICE_S = 86_400;

/** A client, with one connection and up to `pipelining` requests in flight. */
export interface Client {
  /** Its current connection: a broken one is replaced. */
  readonly conn: Socket;
  /** Writes the next request of its cursor. */
  send(): void;
}

export interface ClientEvents {
  /** The connection was replaced, and all requests in flight are lost. */
  onLost(ending: 'timedOut' | 'disconnected'): void;
  /** One more request may be sent, now or later. */
  onRoom(): void;
  /** An answer to the request at this index of the order; `bytes` counts head and body. */
  onAnswer(kind: AnswerKind, answer: { place: number; bytes: number; latencyNs: number }): void;
  onError(error: Error): void;
}

export type Connections = ReturnType<typeof openConnections>;

type WrittenRequest = ReturnType<typeof writtenBy>[number];

interface Internals {
  conn: Socket;
  /** The time-out, which restarts with each request, ms. */
  timeout: number;
  timeoutTicker: { reschedule(ms: number): void };
  destroy(): void;
  /** Called once for each request that may be sent: when connected, and after each answer. */
  _doRequest(): void;
  requestIterator: {
    requestBuilder(request: object, context: object): Buffer;
    /** Called for an answer before the client emits `response`. */
    recordBody(request: WrittenRequest, status: number): void;
  };
  pipelinedRequests: {
    clear(): void;
    size(): number;
    peek(): { req: WrittenRequest } | undefined;
    insertRequest(request: WrittenRequest): void;
    addBody(chunk: Buffer): void;
  };
}

type InternalClient = autocannon.Client & Internals & EventEmitter;

/** Opens a connection for each cursor. `follow` gets each client before it connects. */
export function openConnections(
  order: EndlessOrder,
  cursors: readonly RequestCursor[],
  follow: (client: Client) => ClientEvents,
) {
  const clients: { client: InternalClient; cursor: RequestCursor }[] = [];
  let written: readonly WrittenRequest[] | null = null;
  const ended = autocannon({
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
  });
  return {
    /** Closes all, and moves their cursors back over what was not answered; autocannon then ends by itself. */
    close: () => {
      for (const { client, cursor } of clients.splice(0)) {
        cursor.back(client.pipelinedRequests.size());
        client.destroy();
      }
    },
    /** Resolves once autocannon has noticed. */
    ended,
  };
}

function hasInternals(client: autocannon.Client): client is InternalClient {
  return ['pipelinedRequests', 'requestIterator', '_doRequest'].every((key) => key in client);
}

/** The order's requests as autocannon writes them, made once for all clients; `place` is the index in the order. */
function writtenBy({ requestIterator }: Internals, { requests }: EndlessOrder) {
  return requests.map((exchange, place) => {
    const { sent, expected } = loadRequest(exchange);
    return { requestBuffer: requestIterator.requestBuilder(sent, {}), place, expected };
  });
}

/**
 * Makes a client send on command what its cursor says, and compare answers byte for byte. autocannon itself sends at
 * once and alike on every connection, keeps a stale queue after a reconnect, and breaks characters at ends of chunks.
 */
function instrument(
  client: InternalClient,
  written: readonly WrittenRequest[],
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

/** Whether autocannon gave a connection up: only then this side closes one that has neither ended nor failed. */
function hasTimedOut({ destroyed, errored, readableEnded }: Socket): boolean {
  return destroyed && errored === null && !readableEnded;
}
