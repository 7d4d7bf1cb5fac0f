import type { Client, ClientEvents } from './autocannon.ts';
import { now } from './clock.ts';
import { answersOf } from './measurement.ts';
import { type Ending, Tally } from './tally.ts';

interface ClientState {
  readonly client: Client;
  /** When each request in flight was sent, the oldest first, ns. */
  pendingSinceNs: number[];
  hasAnswer: boolean;
  isHeld: boolean;
}

/** Decides when clients send, and counts what becomes of every request, also of those lost with their connection. */
export class Ledger {
  readonly counts = { sent: 0, ok: 0, wrongStatus: 0, wrongBody: 0, timedOut: 0, disconnected: 0 };
  answeredClients = 0;
  readonly #clients: ClientState[] = [];
  #window: Tally | null = null;
  #isHolding = false;
  /** The client of each request that is held back, in order. */
  #held: ClientState[] = [];
  #sentBeforeRelease = 0;
  #round: { requests: number; resolve: () => void } | null = null;
  #waiter: { holds: () => boolean; resolve: () => void } | null = null;

  get inFlight(): number {
    return this.#clients.reduce((sum, { pendingSinceNs }) => sum + pendingSinceNs.length, 0);
  }

  /** All answers so far, right or wrong. */
  get answered(): number {
    return answersOf(this.counts);
  }

  /** Opens a window, for an order with this many requests. */
  openWindow(requests: number): Tally {
    this.#window = new Tally(requests);
    return this.#window;
  }

  closeWindow(atNs: number): void {
    const waiting = this.#clients.flatMap(({ pendingSinceNs }) => pendingSinceNs);
    this.#window?.close(waiting.map((sentNs) => atNs - sentNs));
    this.#window = null;
  }

  /** Resolves once this holds, which is checked whenever a request ends; the last call replaces others. */
  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#waiter = { holds, resolve };
      this.#wake();
    });
  }

  hold(): void {
    this.#isHolding = true;
    for (const state of this.#clients) state.isHeld = true;
    this.#round = null;
  }

  /** Holds once whole rounds of this many requests have been sent since the last release, and resolves then. */
  holdAfterRound(requests: number): Promise<void> {
    return new Promise((resolve) => {
      this.#round = { requests, resolve };
    });
  }

  /** Sends what was held back, in one write per connection, and holds nothing back any more. */
  release(): void {
    this.#isHolding = false;
    this.#sentBeforeRelease = this.counts.sent;
    this.#sendHeld(this.#clients);
  }

  releaseOne(client: Client): void {
    this.#sendHeld(this.#clients.filter((state) => state.client === client));
  }

  /** To be called before the client has connected. */
  follow(client: Client): Omit<ClientEvents, 'onError'> {
    const isHeld = this.#isHolding;
    const state: ClientState = { client, pendingSinceNs: [], hasAnswer: false, isHeld };
    this.#clients.push(state);
    return {
      onLost: (ending) => this.#lose(state, ending),
      onRoom: () => this.#sendOrHold(state),
      onAnswer: (kind, answer) => {
        if (this.#window !== null) this.#window.bytes += answer.bytes;
        // An answer without a request counts too: then the sum of all others exceeds `sent`.
        state.pendingSinceNs.shift();
        if (!state.hasAnswer) this.answeredClients++;
        state.hasAnswer = true;
        this.#end(kind, answer.latencyNs, answer.place);
        this.#wake();
      },
    };
  }

  #lose(state: ClientState, ending: 'timedOut' | 'disconnected'): void {
    const atNs = now();
    for (const sentNs of state.pendingSinceNs) this.#end(ending, atNs - sentNs);
    state.pendingSinceNs = [];
    this.#held = this.#held.filter((each) => each !== state);
    this.#wake();
  }

  #end(ending: Ending, ageNs: number, place = 0): void {
    this.counts[ending]++;
    this.#window?.ended(ending, ageNs, place);
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
    state.pendingSinceNs.push(now());
    this.counts.sent++;
    if (this.#window !== null) this.#window.counts.sent++;
    state.client.send();
  }

  #wake(): void {
    if (this.#waiter?.holds() !== true) return;
    this.#waiter.resolve();
    this.#waiter = null;
  }
}
