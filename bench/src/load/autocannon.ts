/** The only file that knows autocannon. */
import type { Socket } from 'node:net';
import autocannon from 'autocannon';
import { isExpected } from '../targets/targets.ts';
import type { LedgerClient } from './ledger.ts';
import type { ClosedOrder } from './protocol.ts';

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

/** A client as autocannon makes it, with what the ledger needs of it. */
export type Client = autocannon.Client & LedgerClient & { conn?: Socket; destroy(): void };

/** The sizes in which so many connections are opened, no more than `most` at once. */
export function batches(connections: number, most: number): number[] {
  const full = Array.from({ length: Math.floor(connections / most) }, () => most);
  const rest = connections % most;
  return rest === 0 ? full : [...full, rest];
}

/** Opens so many connections and puts the order's load on them; tells of each client before it connects. */
export function openConnections(
  order: ClosedOrder,
  connections: number,
  onClient: (client: Client) => void,
): Connections {
  const ended = Promise.withResolvers<void>();
  const clients: Client[] = [];
  const instance = autocannon(
    {
      url: order.origin + order.request.path,
      method: order.request.method,
      connections,
      pipelining: order.pipelining,
      duration: LONGER_THAN_ANY_SLICE_S,
      timeout: order.timeoutNs / 1e9,
      sampleInt: STOP_CHECK_MS,
      skipAggregateResult: true,
      verifyBody: (body) => isExpected(order.expect, String(body ?? '')),
      setupClient: (client) => {
        if (!isClient(client)) {
          throw new Error('the clients of this autocannon lack pipelinedRequests or destroy');
        }
        clients.push(client);
        onClient(client);
      },
    },
    (error) => (error ? ended.reject(error) : ended.resolve()),
  );
  return {
    close: () => {
      // By itself autocannon would go on until it looks at its flag again.
      for (const client of clients) client.destroy();
      instance.stop();
    },
    ended: ended.promise,
  };
}

function isClient(client: autocannon.Client): client is Client {
  return 'pipelinedRequests' in client && 'destroy' in client;
}

/** Holds back what clients write while it is closed: it is put on no wire until the valve opens. */
export class Valve {
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
export class Gate {
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
