/** The only file that knows autocannon. */
import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import autocannon from 'autocannon';
import { bytesOf, rightBody } from '../targets/exchange.ts';
import { BodyCheck } from './body-check.ts';
import type { RequestCursor } from './mix.ts';
import type { LastingOrder } from './protocol.ts';

/** autocannon looks at its stop flag once in this time. */
const STOP_CHECK_MS = 20;
/** A day: a slice ends by our own clock, never by autocannon's. */
const LONGER_THAN_ANY_SLICE_S = 86_400;

/** A client, which keeps as many requests under way on its connection as are pipelined. */
export interface Client {
  /** The connection that it has now; one that breaks is replaced. */
  readonly conn: Socket;
  /** Writes the next request of its cursor. */
  send(): void;
}

/** An answer, as far as it was looked at. */
export interface Answer {
  /** The place of its request in the order's list. */
  place: number;
  status: number;
  hasRightBody: boolean;
  /** Head and body. */
  bytes: number;
  /** Since its request was written, ms. */
  latencyMs: number;
}

/** What a client tells. */
export interface ClientEvents {
  /** Its connection is a new one: all that was under way on the last one is lost. */
  onReconnect(): void;
  /** One more request may be sent on its connection, now or later. */
  onRoom(): void;
  onAnswer(answer: Answer): void;
  /** What was just lost had been given up, since nothing had come for the length of the time-out. */
  onTimeout(): void;
  onError(error: Error): void;
}

/** Connections under load. */
export interface Connections {
  /** Ends the load and closes every connection, at once. */
  close(): void;
  /** Resolves once autocannon has noticed that, so that it does nothing any more. */
  readonly ended: Promise<void>;
}

/** A request in the bytes that a client writes. */
interface Written {
  requestBuffer: Buffer;
  /** In the order's list. */
  place: number;
  /** What its answer holds; null where any will do. */
  body: Buffer | number | null;
}

/** The inside of a client as autocannon makes it. */
interface Insides {
  conn: Socket;
  /** Of the time-out, which begins anew with each request, ms. */
  timeout: number;
  timeoutTicker: { reschedule(ms: number): void };
  destroy(): void;
  /** Asked for each request that is to be sent: once a connection is made, and after each answer. */
  _doRequest(): void;
  requestIterator: {
    requestBuilder(request: object, context: object): Buffer;
    /** Told of an answer before the client says `response`. */
    recordBody(request: Written): void;
  };
  pipelinedRequests: {
    clear(): void;
    size(): number;
    peek(): { req: Written } | undefined;
    insertRequest(request: Written): void;
    addBody(piece: Buffer): void;
  };
}

type OwnClient = autocannon.Client & Insides & EventEmitter;

/**
 * Opens a connection for each of these cursors, for the order's load; tells of each client before it connects.
 * Once closed, the cursors are behind the last request that was answered.
 */
export function openConnections(
  order: LastingOrder,
  cursors: readonly RequestCursor[],
  follow: (client: Client) => ClientEvents,
): Connections {
  const ended = Promise.withResolvers<void>();
  const clients: { client: OwnClient; cursor: RequestCursor }[] = [];
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
        if (!isOwn(client) || cursor === undefined) {
          throw new Error('the clients of this autocannon are not as they were');
        }
        written ??= writtenBy(client, order);
        clients.push({ client, cursor });
        instrument(client, written, cursor, follow);
      },
    },
    (error) => (error ? ended.reject(error) : ended.resolve()),
  );
  return {
    close: () => {
      // By itself autocannon would go on until it looks at its flag again.
      for (const { client, cursor } of clients.splice(0)) {
        cursor.back(client.pipelinedRequests.size());
        client.destroy();
      }
      instance.stop();
    },
    ended: ended.promise,
  };
}

function isOwn(client: autocannon.Client): client is OwnClient {
  return ['pipelinedRequests', 'requestIterator', '_doRequest'].every((key) => key in client);
}

/** The order's requests as autocannon writes them, made once for all clients. */
function writtenBy({ requestIterator }: OwnClient, { requests }: LastingOrder): Written[] {
  return requests.map(({ request: { body, ...head }, answer }, place) => {
    const request = { ...head, ...(body && { body: bytesOf(body) }) };
    return {
      requestBuffer: requestIterator.requestBuilder(request, {}),
      place,
      body: rightBody(answer),
    };
  });
}

/**
 * Has a client send when it is told to and what its cursor says, and compares what comes byte for byte. By itself
 * autocannon sends at once, has the same requests on every connection, goes on with a stale queue on a new one, and
 * makes a text of each piece of a body, which spoils characters that are cut in two.
 */
function instrument(
  client: OwnClient,
  written: readonly Written[],
  cursor: RequestCursor,
  follow: (client: Client) => ClientEvents,
): void {
  const { pipelinedRequests } = client;
  const check = new BodyCheck();
  let connection: Socket | null = null;
  let answered = { place: 0, hasRightBody: true };
  const events = follow({
    get conn() {
      return client.conn;
    },
    send: () => {
      const request = written[cursor.next()];
      if (request === undefined) throw new Error('a cursor is not on the requests of its order');
      pipelinedRequests.insertRequest(request);
      client.conn.write(request.requestBuffer);
      client.timeoutTicker.reschedule(client.timeout);
    },
  });
  client._doRequest = () => {
    if (connection !== null && client.conn !== connection) {
      pipelinedRequests.clear();
      // A body that was cut off with its connection does not go on with the next one's.
      check.end(null);
      events.onReconnect();
    }
    connection = client.conn;
    events.onRoom();
  };
  pipelinedRequests.addBody = (piece) => {
    const pending = pipelinedRequests.peek();
    if (pending !== undefined) check.add(piece, pending.req.body);
  };
  client.requestIterator.recordBody = ({ place, body }) => {
    answered = { place, hasRightBody: check.end(body) };
  };
  client.on('response', (status, bytes, latencyMs) => {
    events.onAnswer({ ...answered, status, bytes, latencyMs });
  });
  client.on('timeout', () => events.onTimeout());
  client.on('connError', (error: Error) => events.onError(error));
}
