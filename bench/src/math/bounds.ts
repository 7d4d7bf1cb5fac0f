/** A closed queue at the CPU: a fixed number of requests under way, each served by one of several equal servers. */
export interface Queue {
  /** CPU time of a request, ns. */
  serviceNs: number;
  /** Processes, or cores if there are fewer. */
  servers: number;
  inFlight: number;
}

/**
 * The upper bound of the throughput, requests/s: every server is always busy, X ≤ min(N, m) / S. The asymptotic bound
 * of operational analysis (Denning and Buzen, "The Operational Analysis of Queueing Network Models", 1978).
 */
export function mostThroughput({ serviceNs, servers, inFlight }: Queue): number {
  return (Math.min(inFlight, servers) / serviceNs) * 1e9;
}

/**
 * The lower bound of the mean response time, ns: R ≥ max(S, N·S / m), from R = N / X (Little's law) and the bound of X
 * above.
 */
export function leastResponse({ serviceNs, servers, inFlight }: Queue): number {
  return Math.max(serviceNs, (inFlight * serviceNs) / servers);
}

/** How many cores a rate keeps busy, by the utilization law U = X·S (Denning and Buzen, as above). */
export function busyCores(ratePerS: number, serviceNs: number): number {
  return (ratePerS * serviceNs) / 1e9;
}
