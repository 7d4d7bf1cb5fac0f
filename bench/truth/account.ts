import { performance } from 'node:perf_hooks';

/** Events closer together than this, ms, are one in the account: nobody asks for less. */
const RESOLUTION_MS = 1;
/** As many events as are kept: more than there are of this resolution between two questions. */
const KEPT = 2 ** 18;

/** What a server was asked, and what its work took in CPU time, told for any stretch of time that ends now. */
export class Account {
  requests = 0;
  #cpuNs = 0;
  #fromUs = 0;
  /** When something began, and what the sums were before it: ring buffers, so that keeping them leaves no garbage. */
  readonly #atMs = new Float64Array(KEPT);
  readonly #requestsBefore = new Float64Array(KEPT);
  readonly #cpuNsBefore = new Float64Array(KEPT);
  #count = 0;
  #lastMs = Number.NEGATIVE_INFINITY;

  /** A request has come. */
  request(): void {
    this.#note();
    this.requests++;
  }

  /** Work begins on this thread. */
  begin(): void {
    this.#note();
    this.#fromUs = processUs();
  }

  /** The work that began last is done. */
  end(): void {
    this.#cpuNs += (processUs() - this.#fromUs) * 1000;
  }

  /** So much was done elsewhere. */
  add(cpuNs: number): void {
    this.#note();
    this.#cpuNs += cpuNs;
  }

  /** CPU time of the work for each request, ns, since an instant by `performance.now()`, ms. */
  since(fromMs: number): { medianNs: number; meanNs: number; gcNs: null } {
    let place = Math.max(0, this.#count - KEPT);
    while (place < this.#count && (this.#atMs[place % KEPT] ?? 0) < fromMs) place++;
    const isOver = place === this.#count;
    const requests = isOver ? this.requests : (this.#requestsBefore[place % KEPT] ?? 0);
    const cpuNs = isOver ? this.#cpuNs : (this.#cpuNsBefore[place % KEPT] ?? 0);
    const asked = this.requests - requests;
    const each = asked === 0 ? 0 : (this.#cpuNs - cpuNs) / asked;
    return { medianNs: each, meanNs: each, gcNs: null };
  }

  #note(): void {
    const nowMs = performance.now();
    if (nowMs - this.#lastMs < RESOLUTION_MS) return;
    this.#lastMs = nowMs;
    const place = this.#count++ % KEPT;
    this.#atMs[place] = nowMs;
    this.#requestsBefore[place] = this.requests;
    this.#cpuNsBefore[place] = this.#cpuNs;
  }
}

/**
 * CPU time of this process: the system has it up to date, which that of a single thread is only from tick to tick.
 * Nothing else runs in it while the work does.
 */
export function processUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
