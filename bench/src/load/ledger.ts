import type { Answer, Client, ClientEvents } from './autocannon.ts';
import { now } from './clock.ts';
import { type Answers, answersOf } from './measurement.ts';

/** What the ledger tells. */
export interface LedgerEvents {
  onAnswer(answer: Answer, kind: keyof Answers): void;
  /** A request was lost with its connection, for whose answer it had waited so long. */
  onLost(ageNs: number): void;
}

interface ClientState {
  readonly client: Client;
  /** When each request under way was sent, ns, the oldest first: no more than are pipelined. */
  pendingSinceNs: number[];
  /** Requests that went with the last connection; a time-out claims them afterwards. */
  lost: number;
  answered: boolean;
  isHeld: boolean;
}

/**
 * Decides when clients send, and counts what becomes of every request. It remembers when each was sent, since
 * nobody else tells how long one had waited that is lost with its connection.
 */
export class Ledger {
  /** The answers by the place of their request. */
  readonly answers: Answers[];
  readonly counts = { sent: 0, ok: 0, wrongStatus: 0, wrongBody: 0, timedOut: 0, disconnected: 0 };
  /** Clients that have had at least one answer. */
  answeredClients = 0;
  readonly #statuses: readonly number[];
  readonly #events: LedgerEvents;
  readonly #clock: () => number;
  readonly #clients: ClientState[] = [];
  /** Of clients to come. */
  #isHolding = false;
  /** Who waits to send a request, once for each, in the order in which they could. */
  #held: ClientState[] = [];
  #sentBeforeRelease = 0;
  #round: { requests: number; resolve: () => void } | null = null;
  #waiter: { holds: () => boolean; resolve: () => void } | null = null;

  /** Each request of the mix is to be answered with its status. The clock is monotonic, ns. */
  constructor(statuses: readonly number[], events: LedgerEvents, clock: () => number = now) {
    this.#statuses = statuses;
    this.answers = statuses.map(() => ({ ok: 0, wrongStatus: 0, wrongBody: 0 }));
    this.#events = events;
    this.#clock = clock;
  }

  get inFlight(): number {
    return this.#clients.reduce((sum, { pendingSinceNs }) => sum + pendingSinceNs.length, 0);
  }

  /** Answered so far, as declared or not. */
  get answered(): number {
    return answersOf(this.counts);
  }

  /** How long each request in flight has waited at this instant of the clock, ns. */
  agesInFlight(atNs: number): number[] {
    return this.#clients.flatMap(({ pendingSinceNs }) => {
      return pendingSinceNs.map((sentNs) => atNs - sentNs);
    });
  }

  /** Resolves once this holds, which is asked when a request ends; a later call replaces an earlier one. */
  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#waiter = { holds, resolve };
      this.#wake();
    });
  }

  /** From now on nothing is sent. */
  hold(): void {
    this.#isHolding = true;
    for (const state of this.#clients) state.isHeld = true;
    this.#round = null;
  }

  /** Holds once whole rounds of so many requests have been sent since the last release; resolves then. */
  holdAfterRound(requests: number): Promise<void> {
    return new Promise((resolve) => {
      this.#round = { requests, resolve };
    });
  }

  /** Sends what was held back, each connection's in one piece, and holds nothing back any more. */
  release(): void {
    this.#isHolding = false;
    this.#sentBeforeRelease = this.counts.sent;
    this.#sendHeld(this.#clients);
  }

  /** Does so for this client alone. */
  releaseOne(client: Client): void {
    this.#sendHeld(this.#clients.filter((state) => state.client === client));
  }

  /** Follows a client from its construction on, before it has connected. */
  follow(client: Client): Omit<ClientEvents, 'onError'> {
    const none = { pendingSinceNs: [], lost: 0, answered: false };
    const state: ClientState = { client, ...none, isHeld: this.#isHolding };
    this.#clients.push(state);
    return {
      onReconnect: () => this.#lose(state),
      onRoom: () => this.#sendOrHold(state),
      onAnswer: (answer) => this.#answered(state, answer),
      onTimeout: () => {
        this.counts.disconnected -= state.lost;
        this.counts.timedOut += state.lost;
        state.lost = 0;
      },
    };
  }

  #lose(state: ClientState): void {
    const atNs = this.#clock();
    state.lost = state.pendingSinceNs.length;
    this.counts.disconnected += state.lost;
    for (const sentNs of state.pendingSinceNs) this.#events.onLost(atNs - sentNs);
    state.pendingSinceNs = [];
    this.#held = this.#held.filter((each) => each !== state);
    this.#wake();
  }

  #sendOrHold(state: ClientState): void {
    const round = this.#round;
    if (round !== null && (this.counts.sent - this.#sentBeforeRelease) % round.requests === 0) {
      this.hold();
      round.resolve();
    }
    if (state.isHeld) this.#held.push(state);
    else this.#send(state);
  }

  #sendHeld(states: readonly ClientState[]): void {
    for (const state of states) {
      state.isHeld = false;
      state.client.conn.cork();
    }
    const held = this.#held;
    this.#held = held.filter(({ isHeld }) => isHeld);
    for (const state of held) if (!state.isHeld) this.#send(state);
    for (const { client } of states) client.conn.uncork();
  }

  #send(state: ClientState): void {
    state.pendingSinceNs.push(this.#clock());
    this.counts.sent++;
    state.client.send();
  }

  #answered(state: ClientState, answer: Answer): void {
    // An answer that nobody asked for counts too: `sent` is then less than the others together.
    state.pendingSinceNs.shift();
    if (!state.answered) this.answeredClients++;
    state.answered = true;
    const kind = this.#kindOf(answer);
    this.counts[kind]++;
    const own = this.answers[answer.place];
    if (own !== undefined) own[kind]++;
    this.#events.onAnswer(answer, kind);
    this.#wake();
  }

  #kindOf({ place, status, hasRightBody }: Answer): keyof Answers {
    if (status !== this.#statuses[place]) return 'wrongStatus';
    return hasRightBody ? 'ok' : 'wrongBody';
  }

  #wake(): void {
    if (this.#waiter?.holds() !== true) return;
    this.#waiter.resolve();
    this.#waiter = null;
  }
}
