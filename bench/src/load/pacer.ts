import type { Socket } from 'node:net';
import { type LoadRequest, loadRequest } from './answer-check.ts';
import { now, until } from './clock.ts';
import { LinkedList, type ListNode } from './linked-list.ts';
import { isRefusal, type Loop, REFUSED } from './loop.ts';
import { type RequestCursor, RequestCursors } from './mix.ts';
import { PaceConnection } from './pace-connection.ts';
import type { OpenOrder } from './protocol.ts';
import { type Ending, encode, type LoopCounts, loopCounts, PaceTally } from './tally.ts';

/** How long requests leave before the window can open, since connections are still being made, ns. */
const RAMP_NS = 5e8;
/** Timers end at least this long before the next instant, since they may be late. */
const AWAKE_MS = 0.5;

interface Flight extends ListNode<Flight> {
  /** The planned instant on the monotonic clock, ns. */
  readonly plannedNs: number;
  /** Its index in the order. */
  readonly place: number;
  readonly connection: PaceConnection;
  hasLeft: boolean;
  /** The open tallies that count it. */
  tallies: readonly PaceTally[];
}

/**
 * An open loop, until it is stopped: request i leaves at start + i / rate, whatever the server does, or is dropped if
 * too many are in flight. It takes the connection idle for longest, or a new one while there are few, so that each
 * process of a cluster has some. All times count from the planned instant. A time-out closes the connection.
 */
export class Pacer implements Loop {
  readonly total: PaceTally;
  window: PaceTally;
  readonly #order: OpenOrder;
  readonly #requests: readonly LoadRequest[];
  readonly #cursor: RequestCursor;
  readonly #startNs = now();
  readonly #refused = new AbortController();
  /** Aborted once the server has refused a connection; only the next planned request tries again. */
  readonly broken: AbortSignal = this.#refused.signal;
  #tallies: readonly PaceTally[];
  /** In the order of their planned instants. */
  readonly #flights = new LinkedList<Flight>();
  readonly #idle: PaceConnection[] = [];
  readonly #sockets = new Set<Socket>();
  #bytesOfClosed = 0;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(order: OpenOrder, cursors = new RequestCursors()) {
    this.#order = order;
    this.#requests = order.requests.map(loadRequest);
    this.#cursor = cursors.ofOne(order);
    this.total = new PaceTally(order.requests.length);
    this.window = this.total;
    this.#tallies = [this.total];
    this.#turn();
  }

  async begin(over: AbortSignal): Promise<void> {
    await until(this.#startNs + RAMP_NS, over);
  }

  /** The window has the requests planned from this instant on. */
  openWindow(atNs: number): number {
    this.#sendDue(atNs);
    this.window = new PaceTally(this.#requests.length);
    this.window.bytes = -this.bytes;
    this.#tallies = [this.total, this.window];
    return atNs;
  }

  /** Bytes read so far, heads and bodies. */
  get bytes(): number {
    let bytes = this.#bytesOfClosed;
    for (const { bytesRead } of this.#sockets) bytes += bytesRead;
    return bytes;
  }

  closeWindow(atNs: number): void {
    this.#sendDue(atNs);
    this.#close(this.window, atNs);
    this.window.bytes += this.bytes;
    this.#tallies = [this.total];
  }

  /** Stops sending, and resolves once all tallies and sockets are closed. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    const atNs = now();
    for (const tally of this.#tallies) this.#close(tally, atNs);
    this.#tallies = [];
    const closed = [...this.#sockets].map((socket) => {
      return new Promise((resolve) => socket.once('close', resolve));
    });
    for (const connection of this.#idle) connection.drop();
    for (const { connection } of this.#flights) connection.drop();
    await Promise.all(closed);
  }

  counted(): LoopCounts {
    const { planned, dropped, late, lateness } = this.window;
    const pace = { planned, dropped, lost: 0, lateness: { late, histogram: encode(lateness) } };
    return loopCounts(this.total, this.window, { pace });
  }

  [Symbol.asyncDispose] = (): Promise<void> => this.stop();

  #turn = (): void => {
    if (this.#isStopped) return;
    const { turnNs, timeoutNs } = this.#order;
    const nowNs = now();
    this.#giveUp(nowNs);
    this.#sendDue(nowNs);
    const { first } = this.#flights;
    const nextNs = Math.min(this.#dueNs(), first ? first.plannedNs + timeoutNs : Infinity);
    const sleepMs = turnNs !== null ? 0 : Math.floor((nextNs - now()) / 1e6 - AWAKE_MS);
    if (sleepMs < 1) setImmediate(this.#turn);
    else this.#timer = setTimeout(this.#turn, sleepMs);
  };

  #dueNs(): number {
    return this.#startNs + (this.total.planned * 1e9) / this.#order.ratePerS;
  }

  #giveUp(nowNs: number): void {
    const { timeoutNs } = this.#order;
    let { first } = this.#flights;
    while (first !== null && first.plannedNs + timeoutNs <= nowNs) {
      first.connection.drop();
      this.#ended(first, 'timedOut');
      ({ first } = this.#flights);
    }
  }

  #sendDue(nowNs: number): void {
    while (!this.#isStopped && this.#dueNs() <= nowNs) this.#send(this.#dueNs());
  }

  #send(plannedNs: number): void {
    // A dropped request takes its turn too, so the planned mix is the same for all servers.
    const place = this.#cursor.next();
    const request = this.#requests[place];
    if (request === undefined) throw new Error('a mix of other requests');
    const tallies = this.#tallies;
    if (this.#flights.size >= this.#order.connections) {
      const latenessNs = now() - plannedNs;
      for (const tally of tallies) tally.drop(latenessNs);
      return;
    }
    const connection = this.#nextIdle() ?? this.#newConnection();
    const own = { plannedNs, place, connection, tallies };
    const flight: Flight = { ...own, hasLeft: false, before: null, after: null };
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
        for (const tally of flight.tallies) tally.left(latenessNs);
      },
      onAnswer: ended,
      onLost: (error) => {
        ended('disconnected');
        if (isRefusal(error)) this.#refused.abort(REFUSED);
      },
    });
  }

  #ended(flight: Flight, ending: Ending): void {
    const ageNs = now() - flight.plannedNs;
    this.#flights.remove(flight);
    for (const tally of flight.tallies) tally.ended(ending, ageNs, flight.place);
  }

  /** Counts what is in flight, and nothing that becomes of it later. */
  #close(tally: PaceTally, atNs: number): void {
    const inFlight = [...this.#flights].filter(({ tallies }) => tallies.includes(tally));
    for (const flight of inFlight) {
      // A request that has not left yet is late by now.
      if (!flight.hasLeft) tally.left(atNs - flight.plannedNs);
      flight.tallies = flight.tallies.filter((each) => each !== tally);
    }
    tally.close(inFlight.map(({ plannedNs }) => atNs - plannedNs));
  }

  /** None as long as there are too few connections, so that another one is opened. */
  #nextIdle(): PaceConnection | undefined {
    const isEnough = this.#idle.length + this.#flights.size >= this.#order.leastConnections;
    return isEnough ? this.#idle.shift() : undefined;
  }

  #newConnection(): PaceConnection {
    return new PaceConnection(this.#order.origin, (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => {
        this.#sockets.delete(socket);
        this.#bytesOfClosed += socket.bytesRead;
      });
    });
  }
}
