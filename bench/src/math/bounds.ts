/** Bounds by operational analysis (Denning and Buzen, "The Operational Analysis of Queueing Network Models", 1978). */

/** A closed queue at the CPU: a fixed number of requests under way, each served by one of several equal servers. */
export interface Queue {
  /** CPU time of a request, ns. */
  serviceNs: number;
  /** Processes, or cores if there are fewer. */
  servers: number;
  inFlight: number;
}

/** The upper bound of the throughput, requests/s, with every server always busy: X ≤ min(N, m) / S. */
export function mostThroughput({ serviceNs, servers, inFlight }: Queue): number {
  return (Math.min(inFlight, servers) / serviceNs) * 1e9;
}

/** The lower bound of the mean response time, ns: R ≥ max(S, N·S / m), by R = N / X (Little's law) and that bound. */
export function leastResponse({ serviceNs, servers, inFlight }: Queue): number {
  return Math.max(serviceNs, (inFlight * serviceNs) / servers);
}

/** How many cores a rate keeps busy, by the utilization law U = X·S. */
export function busyCores(ratePerS: number, serviceNs: number): number {
  return (ratePerS * serviceNs) / 1e9;
}
