/** The only file that knows autocannon. */
import type { Socket } from 'node:net';
import autocannon from 'autocannon';
import { bytesOf, rightBody } from '../targets/exchange.ts';
import { BodyCheck } from './body-check.ts';
import type { LedgerClient } from './ledger.ts';
import type { RequestCursor } from './mix.ts';
import type { LastingOrder } from './protocol.ts';

/** autocannon looks at its stop flag once in this time. */
const STOP_CHECK_MS = 20;
/** A day: a slice ends by our own clock, never by autocannon's. */
const LONGER_THAN_ANY_SLICE_S = 86_400;

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

/** What a client asks for its requests, and tells of each answer before it says `response`. */
interface Requests {
  resetted: boolean;
  currentRequest: Written | undefined;
  nextRequest(): void;
  recordBody(request: Written): void;
}

/** The inside of a client as autocannon makes it. */
interface Insides {
  conn?: Socket;
  destroy(): void;
  opts: { verifyBody?: () => boolean };
  requestIterator: Requests & { requestBuilder(request: object, context: object): Buffer };
  pipelinedRequests: {
    clear(): void;
    size(): number;
    peek(): { req: Written } | undefined;
    addBody(piece: Buffer): void;
  };
}

type OwnClient = autocannon.Client & Insides;

/** A client as autocannon makes it, with what the ledger needs of it. */
export type Client = autocannon.Client &
  LedgerClient & {
    conn?: Socket;
    destroy(): void;
    /** The place of the request that its last response is to. */
    answered: number;
  };

/** The sizes in which so many connections are opened, no more than `most` at once. */
export function batches(connections: number, most: number): number[] {
  const full = Array.from({ length: Math.floor(connections / most) }, () => most);
  const rest = connections % most;
  return rest === 0 ? full : [...full, rest];
}

/**
 * Opens a connection for each of these cursors and puts the order's load on it; tells of each client before
 * it connects. Once closed, the cursors are behind the last request that was answered.
 */
export function openConnections(
  order: LastingOrder,
  cursors: readonly RequestCursor[],
  onClient: (client: Client) => void,
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
        onClient(instrumentClient(client, written, cursor));
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
  return ['pipelinedRequests', 'requestIterator', 'opts', 'destroy'].every((key) => key in client);
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
 * Has a client write what its cursor says, and compares what comes byte for byte: by itself autocannon has
 * the first request again and again on every connection, and makes a text of each piece of a body, which
 * spoils characters that are cut in two.
 */
function instrumentClient(
  client: OwnClient,
  written: readonly Written[],
  cursor: RequestCursor,
): Client {
  const { pipelinedRequests, opts } = client;
  const check = new BodyCheck();
  const told = Object.assign(client, { answered: 0 });
  let isRight = true;
  const clear = pipelinedRequests.clear.bind(pipelinedRequests);
  client.requestIterator = {
    ...client.requestIterator,
    resetted: false,
    currentRequest: written[cursor.next()],
    nextRequest() {
      this.currentRequest = written[cursor.next()];
    },
    recordBody({ place, body }) {
      told.answered = place;
      isRight = check.end(body);
    },
  };
  pipelinedRequests.clear = () => {
    // A body that was cut off with its connection does not go on with the next one's.
    check.end(null);
    clear();
  };
  pipelinedRequests.addBody = (piece) => {
    const pending = pipelinedRequests.peek();
    if (pending !== undefined) check.add(piece, pending.req.body);
  };
  opts.verifyBody = () => isRight;
  return told;
}

/** Holds back what clients write while it is closed: it is put on no wire until the hold opens. */
export class WriteHold {
  readonly #clients: Client[] = [];
  readonly #held = new Set<Socket>();
  #isClosed = false;

  /** Holds what this client writes, on this connection and on those that replace it. */
  follow(client: Client): void {
    this.#clients.push(client);
    client.on('request', () => {
      if (this.#isClosed) this.#hold(client);
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const client of this.#clients) this.#hold(client);
  }

  /** Lets go of all that was written meanwhile. */
  open(): void {
    this.#isClosed = false;
    for (const conn of this.#held) conn.uncork();
    this.#held.clear();
  }

  #hold({ conn }: Client): void {
    if (conn === undefined || this.#held.has(conn)) return;
    conn.cork();
    this.#held.add(conn);
  }
}

/**
 * Holds back the requests of clients until the server has accepted all their connections. A Node
 * server accepts one connection in each turn of its event loop; once it is busy, a turn takes 10 ms,
 * and the last of 1,000 connections would wait for seconds.
 */
export class ConnectBarrier {
  #held: { client: Client; conn: Socket; connected: Promise<void> }[] = [];

  /** Holds this client, which is about to connect. */
  hold(client: Client): void {
    // autocannon tells of a request after it has made the socket and before it writes to it.
    client.once('request', () => {
      const { conn } = client;
      if (conn === undefined)
        throw new Error('this autocannon tells of requests before it connects');
      conn.cork();
      const connected = new Promise<void>((resolve) => {
        conn.once('connect', resolve);
        conn.once('close', () => resolve());
      });
      this.#held.push({ client, conn, connected });
    });
  }

  /**
   * Resolves once the server has accepted every client held so far: it accepts in order, so the last
   * one is let through, and its answer tells.
   */
  async accepted(): Promise<void> {
    await Promise.all(this.#held.map(({ connected }) => connected));
    const last = this.#held.pop();
    if (last === undefined) return;
    const answered = new Promise<void>((resolve) => {
      last.client.once('response', () => resolve());
      last.conn.once('close', () => resolve());
    });
    last.conn.uncork();
    await answered;
  }

  /** Lets all requests go. */
  open(): void {
    for (const { conn } of this.#held) conn.uncork();
    this.#held = [];
  }
}
