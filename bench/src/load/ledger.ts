import type { EventEmitter } from 'node:events';
import { z } from 'zod';
import { now } from './clock.ts';

const count = z.int().min(0);

export const ledgerSchema = z.object({
  sent: count,
  /** Answered with the declared status and body. */
  ok: count,
  /** Answered with another status. */
  wrongStatus: count,
  /** Answered with the declared status and another body. */
  wrongBody: count,
  /** Dropped by the generator, because nothing came for the length of the time-out. */
  timedOut: count,
  /** Lost with a connection that the server closed or reset. */
  disconnected: count,
  /** Sent on a connection that is still there, and not answered yet. */
  inFlight: count,
});

/**
 * Where every request went. Each is a count of its own, so that `sent` is the sum of all others only
 * where nothing was missed and nothing invented.
 */
export type LedgerCounts = z.infer<typeof ledgerSchema>;

/** How the answers to one request of a mix came out. */
export const answersSchema = ledgerSchema.pick({ ok: true, wrongStatus: true, wrongBody: true });
export type Answers = z.infer<typeof answersSchema>;

/** What the ledger needs to know of an autocannon client; `conn` is replaced at every reconnect. */
export interface LedgerClient extends EventEmitter {
  conn?: unknown;
  pipelinedRequests: { clear(): void };
}

/** What the ledger tells about each answer. */
export interface Answer {
  bytes: number;
  /** ms, as autocannon gives it, from the instant at which it was sent. */
  latencyMs: number;
  status: 'as declared' | 'wrong';
}

interface ClientState {
  connection: unknown;
  /** When each pending request was sent, ns, the oldest first: no more than are pipelined. */
  pendingSinceNs: number[];
  /** Requests written but held back: on no wire yet, behind all that are pending. */
  held: number;
  /** How many of the oldest pending requests were held back before they were sent. */
  released: number;
  /** Requests that went with the last connection; a time-out claims them afterwards. */
  lost: number;
  answered: boolean;
  lastStatusRight: boolean;
  /** The place of the request that the last answer was to. */
  lastRequest: number;
}

/**
 * Counts what becomes of every request of a set of autocannon clients.
 *
 * autocannon reconnects silently when the server closes a connection, without counting the requests
 * that went with it and without clearing its queue, after which answers pair with stale requests.
 * So the ledger watches `conn`: a request on a new connection means that all pending ones are lost.
 * autocannon has no latency for those either, so the ledger remembers when each request was sent.
 */
export class Ledger {
  /** The answers by the place of their request. */
  readonly answers: Answers[];
  readonly counts = { sent: 0, ok: 0, wrongStatus: 0, wrongBody: 0, timedOut: 0, disconnected: 0 };
  /** Clients that have had at least one answer. */
  answeredClients = 0;
  #waiter: { clients: number; resolve: () => void } | null = null;
  #quota: { answers: number; resolve: () => void } | null = null;
  #whenIdle: (() => void) | null = null;
  #holding = false;
  readonly #statuses: readonly number[];
  readonly #onAnswer: (answer: Answer) => void;
  readonly #onLost: (ageNs: number) => void;
  readonly #clock: () => number;
  readonly #clients: ClientState[] = [];
  #unsettled: Answer | null = null;

  /**
   * Tells of each answer, and of each request that is lost with its connection how long it had waited,
   * ns, by a monotonic clock. Each request of the mix is to be answered with its status.
   */
  constructor(
    statuses: readonly number[],
    onAnswer: (answer: Answer) => void,
    onLost: (ageNs: number) => void,
    clock: () => number = now,
  ) {
    this.#statuses = statuses;
    this.answers = statuses.map(() => ({ ok: 0, wrongStatus: 0, wrongBody: 0 }));
    this.#onAnswer = onAnswer;
    this.#onLost = onLost;
    this.#clock = clock;
  }

  get inFlight(): number {
    return this.#clients.reduce((sum, { pendingSinceNs }) => sum + pendingSinceNs.length, 0);
  }

  /** Answered so far, as declared or not. */
  get answered(): number {
    const { ok, wrongStatus, wrongBody } = this.counts;
    return ok + wrongStatus + wrongBody;
  }

  /** How long each request in flight has waited at this instant of the clock, ns. */
  agesInFlight(atNs: number): number[] {
    return this.#clients.flatMap(({ pendingSinceNs }) => {
      return pendingSinceNs.map((sentNs) => atNs - sentNs);
    });
  }

  /** Resolves once so many clients have had an answer; a later call replaces an earlier one. */
  untilAnswered(clients: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiter = { clients, resolve };
      this.#wake();
    });
  }

  /** Resolves once so many answers have come, as declared or not; a later call replaces an earlier one. */
  untilAnswers(answers: number): Promise<void> {
    return new Promise((resolve) => {
      this.#quota = { answers, resolve };
      this.#fill();
    });
  }

  /** From now on what is written is held back: it counts as sent once it is released. */
  hold(): void {
    this.#holding = true;
  }

  /** All that is held back is sent now, while nothing else is in flight. */
  release(): void {
    this.#holding = false;
    const atNs = this.#clock();
    for (const state of this.#clients) {
      this.counts.sent += state.held;
      state.released = state.held;
      for (; state.held > 0; state.held--) state.pendingSinceNs.push(atNs);
    }
  }

  /** Resolves once nothing is in flight; a later call replaces an earlier one. */
  untilIdle(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenIdle = resolve;
      this.#rest();
    });
  }

  /**
   * Tells of the last answer: its body is known to be right only when autocannon goes on without
   * having said `mismatch`. To be called before anything is read.
   */
  settle(): void {
    if (this.#unsettled === null) return;
    this.#onAnswer(this.#unsettled);
    this.#unsettled = null;
  }

  #wake(): void {
    if (this.#waiter !== null && this.answeredClients >= this.#waiter.clients) {
      this.#waiter.resolve();
      this.#waiter = null;
    }
  }

  #fill(): void {
    if (this.#quota === null || this.answered < this.#quota.answers) return;
    this.#quota.resolve();
    this.#quota = null;
  }

  #rest(): void {
    if (this.#whenIdle === null || this.inFlight > 0) return;
    this.#whenIdle();
    this.#whenIdle = null;
  }

  /**
   * Follows a client from its construction on, before it has connected; `requestOf` is asked with each
   * answer for the place of the request that it is to.
   */
  follow(client: LedgerClient, requestOf: () => number = () => 0): void {
    const state: ClientState = {
      connection: undefined,
      pendingSinceNs: [],
      held: 0,
      released: 0,
      lost: 0,
      answered: false,
      lastStatusRight: false,
      lastRequest: 0,
    };
    this.#clients.push(state);
    client.on('request', () => this.#sent(client, state));
    client.on('response', (status: number, bytes: number, latencyMs: number) => {
      state.lastRequest = requestOf();
      this.#answered(state, status, bytes, latencyMs);
    });
    client.on('mismatch', () => this.#mismatched(state));
    client.on('timeout', () => this.#timedOut(state));
  }

  #sent(client: LedgerClient, state: ClientState): void {
    const atNs = this.#clock();
    if (client.conn !== state.connection) {
      state.connection = client.conn;
      state.lost = state.pendingSinceNs.length;
      this.counts.disconnected += state.lost;
      for (const sentNs of state.pendingSinceNs) this.#onLost(atNs - sentNs);
      state.pendingSinceNs = [];
      state.held = 0;
      state.released = 0;
      client.pipelinedRequests.clear();
      this.#rest();
    }
    if (this.#holding) {
      state.held++;
      return;
    }
    state.pendingSinceNs.push(atNs);
    this.counts.sent++;
  }

  #answered(state: ClientState, status: number, bytes: number, latencyMs: number): void {
    // An answer that nobody asked for counts too: `sent` is then less than the others together.
    const sentNs = state.pendingSinceNs.shift();
    if (!state.answered) {
      state.answered = true;
      this.answeredClients++;
      this.#wake();
    }
    state.lastStatusRight = status === this.#statuses[state.lastRequest];
    this.#count(state, state.lastStatusRight ? 'ok' : 'wrongStatus', 1);
    this.settle();
    const verdict = state.lastStatusRight ? 'as declared' : 'wrong';
    // autocannon counts from the write, which for a request that was held back is before it was sent.
    const waited = state.released > 0 && sentNs !== undefined;
    if (waited) state.released--;
    const sinceSentMs = waited ? (this.#clock() - sentNs) / 1e6 : latencyMs;
    this.#unsettled = { bytes, latencyMs: sinceSentMs, status: verdict };
    this.#fill();
    this.#rest();
  }

  #count({ lastRequest }: ClientState, kind: keyof Answers, by: 1 | -1): void {
    this.counts[kind] += by;
    const own = this.answers[lastRequest];
    if (own !== undefined) own[kind] += by;
  }

  /** autocannon says `mismatch` right after the `response` it belongs to. */
  #mismatched(state: ClientState): void {
    if (!state.lastStatusRight) return;
    this.#count(state, 'ok', -1);
    this.#count(state, 'wrongBody', 1);
    if (this.#unsettled !== null) this.#unsettled.status = 'wrong';
  }

  /** autocannon reconnects first and then says `timeout`, once for every pipelined request. */
  #timedOut(state: ClientState): void {
    this.counts.disconnected -= state.lost;
    this.counts.timedOut += state.lost;
    state.lost = 0;
  }
}
