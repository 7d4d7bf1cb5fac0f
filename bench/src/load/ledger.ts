import type { EventEmitter } from 'node:events';
import { z } from 'zod';

export const ledgerSchema = z.object({
  sent: z.int(),
  /** Answered with the declared status and body. */
  ok: z.int(),
  /** Answered with another status. */
  wrongStatus: z.int(),
  /** Answered with the declared status and another body. */
  wrongBody: z.int(),
  /** Dropped by the generator, because nothing came for the length of the time-out. */
  timedOut: z.int(),
  /** Lost with a connection that the server closed or reset. */
  disconnected: z.int(),
  /** Sent on a connection that is still there, and not answered yet. */
  inFlight: z.int(),
});

/**
 * Where every request went. Each is a count of its own, so that `sent` is the sum of all others only
 * where nothing was missed and nothing invented.
 */
export type LedgerCounts = z.infer<typeof ledgerSchema>;

/** What the ledger needs to know of an autocannon client; `conn` is replaced at every reconnect. */
export interface LedgerClient extends EventEmitter {
  conn?: unknown;
  pipelinedRequests: { clear(): void };
}

/** What the ledger tells about each answer. */
export interface Answer {
  bytes: number;
  /** ms, as autocannon gives it. */
  latencyMs: number;
  status: 'as declared' | 'wrong';
}

interface ClientState {
  connection: unknown;
  pending: number;
  /** Requests that went with the last connection; a time-out claims them afterwards. */
  lost: number;
  answered: boolean;
  lastStatusRight: boolean;
}

/**
 * Counts what becomes of every request of a set of autocannon clients.
 *
 * autocannon reconnects silently when the server closes a connection, without counting the requests
 * that went with it and without clearing its queue, after which answers pair with stale requests.
 * So the ledger watches `conn`: a request on a new connection means that all pending ones are lost.
 */
export class Ledger {
  readonly counts = { sent: 0, ok: 0, wrongStatus: 0, wrongBody: 0, timedOut: 0, disconnected: 0 };
  /** Clients that have had at least one answer. */
  answeredClients = 0;
  #waiter: { clients: number; resolve: () => void } | null = null;
  readonly #expectedStatus: number;
  readonly #onAnswer: (answer: Answer) => void;
  readonly #clients: ClientState[] = [];
  #unsettled: Answer | null = null;

  constructor(expectedStatus: number, onAnswer: (answer: Answer) => void) {
    this.#expectedStatus = expectedStatus;
    this.#onAnswer = onAnswer;
  }

  get inFlight(): number {
    return this.#clients.reduce((sum, { pending }) => sum + pending, 0);
  }

  /** Resolves once so many clients have had an answer; a later call replaces an earlier one. */
  untilAnswered(clients: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiter = { clients, resolve };
      this.#wake();
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

  /** Follows a client from its construction on, before it has connected. */
  follow(client: LedgerClient): void {
    const state: ClientState = {
      connection: undefined,
      pending: 0,
      lost: 0,
      answered: false,
      lastStatusRight: false,
    };
    this.#clients.push(state);
    client.on('request', () => this.#sent(client, state));
    client.on('response', (status: number, bytes: number, latencyMs: number) => {
      this.#answered(state, status, bytes, latencyMs);
    });
    client.on('mismatch', () => this.#mismatched(state));
    client.on('timeout', () => this.#timedOut(state));
  }

  #sent(client: LedgerClient, state: ClientState): void {
    if (client.conn !== state.connection) {
      state.connection = client.conn;
      state.lost = state.pending;
      this.counts.disconnected += state.pending;
      state.pending = 0;
      client.pipelinedRequests.clear();
    }
    state.pending++;
    this.counts.sent++;
  }

  #answered(state: ClientState, status: number, bytes: number, latencyMs: number): void {
    // An answer that nobody asked for counts too: `sent` is then less than the others together.
    if (state.pending > 0) state.pending--;
    if (!state.answered) {
      state.answered = true;
      this.answeredClients++;
      this.#wake();
    }
    state.lastStatusRight = status === this.#expectedStatus;
    if (state.lastStatusRight) this.counts.ok++;
    else this.counts.wrongStatus++;
    this.settle();
    const verdict = state.lastStatusRight ? 'as declared' : 'wrong';
    this.#unsettled = { bytes, latencyMs, status: verdict };
  }

  /** autocannon says `mismatch` right after the `response` it belongs to. */
  #mismatched(state: ClientState): void {
    if (!state.lastStatusRight) return;
    this.counts.ok--;
    this.counts.wrongBody++;
    if (this.#unsettled !== null) this.#unsettled.status = 'wrong';
  }

  /** autocannon reconnects first and then says `timeout`, once for every pipelined request. */
  #timedOut(state: ClientState): void {
    this.counts.disconnected -= state.lost;
    this.counts.timedOut += state.lost;
    state.lost = 0;
  }
}
