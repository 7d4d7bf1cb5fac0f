import type { Socket } from 'node:net';
import { now } from './clock.ts';
import { isRefusal } from './connection-error.ts';
import { InOrder, type Linked } from './in-order.ts';
import { type RequestCursor, RequestCursors } from './mix.ts';
import { PaceConnection, type PaceRequest, paceRequests } from './pace-connection.ts';
import { type Ending, PaceTally } from './pace-tally.ts';
import type { OpenOrder } from './protocol.ts';

/** A timer is set to end so long before the next instant at the least: it may be late by some of it. */
const AWAKE_MS = 0.5;

/** An open loop: what is sent, what is expected, and when. */
export type PaceOrder = Pick<
  OpenOrder,
  | 'origin'
  | 'requests'
  | 'ratePerS'
  | 'connections'
  | 'leastConnections'
  | 'timeoutNs'
  | 'neverSleep'
>;

export interface PaceEvents {
  /** The server refused a connection; it is asked again only for the next planned request. */
  onRefused(): void;
}

/** A planned request that was sent. */
interface Flight extends Linked<Flight> {
  /** The instant at which it was to leave, ns of the monotonic clock. */
  readonly plannedNs: number;
  /** Of its request in the order's list. */
  readonly place: number;
  hasLeft: boolean;
  connection: PaceConnection;
  /** The tallies that were open at its planned instant. */
  tallies: readonly PaceTally[];
}

/**
 * An open loop, from its construction until it is stopped: request i leaves at start + i / rate,
 * whatever the server does, on the connection that has been idle for longest, or on a new one while
 * there are few, so that each process of a cluster has some. Where
 * as many are in flight as there may be, it is dropped. A time-out counts from the planned instant,
 * as all times do, and costs the request its connection.
 */
export class Pacer {
  /** Every request. */
  readonly total = new PaceTally();
  readonly #order: PaceOrder;
  readonly #events: PaceEvents;
  readonly #requests: readonly PaceRequest[];
  readonly #cursor: RequestCursor;
  readonly #startNs = now();
  #tallies: readonly PaceTally[] = [this.total];
  /** In the order of their planned instants. */
  readonly #flights = new InOrder<Flight>();
  readonly #idle: PaceConnection[] = [];
  readonly #sockets = new Set<Socket>();
  #bytesOfClosed = 0;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(order: PaceOrder, events: PaceEvents, cursors = new RequestCursors()) {
    this.#order = order;
    this.#events = events;
    this.#requests = paceRequests(order);
    this.#cursor = cursors.ofOne(order);
    this.#turn();
  }

  /** Bytes read so far, heads and bodies. */
  get bytes(): number {
    let bytes = this.#bytesOfClosed;
    for (const { bytesRead } of this.#sockets) bytes += bytesRead;
    return bytes;
  }

  /** Opens a window, which tallies the requests planned from this instant on, now; one at a time. */
  openWindow(atNs: number): PaceTally {
    this.#sendDue(atNs);
    const window = new PaceTally();
    this.#tallies = [this.total, window];
    return window;
  }

  /** Closes the window at this instant, now. */
  closeWindow(atNs: number): void {
    this.#sendDue(atNs);
    for (const tally of this.#tallies) if (tally !== this.total) this.#close(tally, atNs);
    this.#tallies = [this.total];
  }

  /** Sends no more and closes every tally and socket; resolves once they are closed. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    const atNs = now();
    for (const tally of this.#tallies) this.#close(tally, atNs);
    const closed = [...this.#sockets].map((socket) => {
      return new Promise<void>((resolve) => socket.once('close', () => resolve()));
    });
    for (const connection of this.#idle) connection.drop();
    for (const { connection } of this.#flights) connection.drop();
    await Promise.all(closed);
  }

  #turn = (): void => {
    if (this.#isStopped) return;
    const nowNs = now();
    this.#giveUp(nowNs);
    this.#sendDue(nowNs);
    const sleepMs = this.#order.neverSleep ? 0 : Math.floor(this.#spareNs() / 1e6 - AWAKE_MS);
    if (sleepMs < 1) setImmediate(this.#turn);
    else this.#timer = setTimeout(this.#turn, sleepMs);
  };

  /** How long there is nothing to do for the pacer itself. */
  #spareNs(): number {
    const { oldest } = this.#flights;
    const timeoutAtNs = oldest ? oldest.plannedNs + this.#order.timeoutNs : Infinity;
    return Math.min(this.#dueNs(), timeoutAtNs) - now();
  }

  #dueNs(): number {
    return this.#startNs + (this.total.counts.planned * 1e9) / this.#order.ratePerS;
  }

  #giveUp(nowNs: number): void {
    const { timeoutNs } = this.#order;
    let { oldest } = this.#flights;
    while (oldest !== null && oldest.plannedNs + timeoutNs <= nowNs) {
      oldest.connection.drop();
      this.#ended(oldest, 'timedOut');
      ({ oldest } = this.#flights);
    }
  }

  #sendDue(nowNs: number): void {
    while (!this.#isStopped && this.#dueNs() <= nowNs) this.#send(this.#dueNs());
  }

  #send(plannedNs: number): void {
    const tallies = this.#tallies;
    // One that is dropped has had its turn: the mix that is planned is the same for all servers.
    const place = this.#cursor.next();
    const request = this.#requests[place];
    if (request === undefined) throw new Error('a mix of other requests');
    if (this.#flights.size >= this.#order.connections) {
      const latenessNs = now() - plannedNs;
      for (const tally of tallies) tally.dropped(latenessNs);
      return;
    }
    const connection = this.#nextIdle() ?? this.#newConnection();
    const flight: Flight = {
      plannedNs,
      place,
      hasLeft: false,
      connection,
      tallies,
      before: null,
      after: null,
    };
    this.#flights.add(flight);
    for (const tally of tallies) tally.sent();
    const ended = (ending: Ending) => {
      this.#idle.push(connection);
      this.#ended(flight, ending);
    };
    connection.send(request, {
      onLeaving: () => {
        flight.hasLeft = true;
        const latenessNs = now() - plannedNs;
        for (const tally of tallies) tally.left(latenessNs);
      },
      onAnswer: ended,
      onLost: (error) => {
        ended('disconnected');
        if (isRefusal(error)) this.#events.onRefused();
      },
    });
  }

  #ended(flight: Flight, ending: Ending): void {
    const ageNs = now() - flight.plannedNs;
    this.#flights.remove(flight);
    for (const tally of flight.tallies) tally.ended(flight.place, ending, ageNs);
  }

  #close(tally: PaceTally, atNs: number): void {
    const inFlight = [...this.#flights].filter(({ tallies }) => tallies.includes(tally));
    // A request that has not left yet is late by the time it has waited so far.
    for (const { hasLeft, plannedNs } of inFlight) if (!hasLeft) tally.left(atNs - plannedNs);
    tally.close(inFlight.map(({ plannedNs }) => atNs - plannedNs));
  }

  /** None where there are fewer connections than there should be, so that one is opened. */
  #nextIdle(): PaceConnection | undefined {
    const isEnough = this.#idle.length + this.#flights.size >= this.#order.leastConnections;
    return isEnough ? this.#idle.shift() : undefined;
  }

  #newConnection(): PaceConnection {
    return new PaceConnection(this.#order, (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => {
        this.#sockets.delete(socket);
        this.#bytesOfClosed += socket.bytesRead;
      });
    });
  }
}
