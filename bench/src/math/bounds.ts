/**
 * A closed queue at the CPU: so many requests are always under way, each of which takes the same
 * service time of one server, and there are as many servers as processes that find a core.
 */
export interface Queue {
  /** CPU time that a request takes, ns. */
  serviceNs: number;
  /** Processes, or cores where there are fewer. */
  servers: number;
  /** Requests under way. */
  inFlight: number;
}

/** How many requests can be served at the same time. */
export function serversOf(processes: number, cores: number): number {
  return Math.min(processes, cores);
}

/**
 * The most requests/s: every server always has one, X ≤ min(N, m) / S. The asymptotic bound of
 * operational analysis (Denning and Buzen, "The Operational Analysis of Queueing Network Models",
 * 1978).
 */
export function mostThroughput({ serviceNs, servers, inFlight }: Queue): number {
  return (Math.min(inFlight, servers) / serviceNs) * 1e9;
}

/**
 * The least mean response time, ns: R ≥ max(S, N·S / m), since R = N / X by Little's law and X has the
 * bound above.
 */
export function leastResponse({ serviceNs, servers, inFlight }: Queue): number {
  return Math.max(serviceNs, (inFlight * serviceNs) / servers);
}

/** How many cores a rate keeps busy, by the utilization law U = X·S (Denning and Buzen, as above). */
export function busyCores(ratePerS: number, serviceNs: number): number {
  return (ratePerS * serviceNs) / 1e9;
}
