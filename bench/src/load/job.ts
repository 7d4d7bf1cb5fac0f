/** An order under way, as far as the harness has a say in it. */
export interface Job {
  /** Aborted: the order ends early. */
  stopped: AbortSignal;
  /** Says that the window can open; resolves to the instant at which it does, ns. */
  ready(): Promise<number>;
}
