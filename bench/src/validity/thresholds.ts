/**
 * Where each flag begins; where the generator counts as the limit is in load/bottleneck.ts. The figures
 * are those of this project's own runs in docs/runs, on two cores of a shared machine: sliced ones
 * (frameworks, quick, twins, floor) and cluster, which is an overload measured unbroken.
 */

/** LEDGER: requests that are unaccounted for, of those sent. In every slice of every run it was 0. */
export const UNACCOUNTED_SHARE = 0.001;

/**
 * LITTLE: how far mean latency × throughput may be from connections × pipelining, beyond what
 * requests without an answer explain and beyond one mean latency of the window, whose edges cut
 * through requests. Cells of slices of 0.75 to 1 s came to 0.999 to 1.009 times it, with a mean
 * latency of 1 to 2 % of the window; those of cluster, which hardly answered, to 0.003 and 0.010. A piece
 * of a slice ends with a server that has answered everything: cells in pieces of 50 ms, with latencies of
 * 11 to 19 ms, came to 0.88 to 0.77.
 */
export const LITTLE_STRAY = 0.02;

/**
 * LITTLE: the edges of a window fall somewhere within a turn of the generator's event loop, ns. The
 * longest turns took 13 ms.
 */
export const LONGEST_TURN_NS = 1.5e7;

/**
 * LITTLE: how long a place may be empty between an answer and the next request, while the generator
 * reads what else has come. Beside a latency of 10 ms it is nothing; with ten connections to a
 * hello world, whose answers take 0.2 ms, it is what is missing.
 */
export const TURNAROUND_NS = 1e5;

/**
 * REGIME: how far CPU per request may be off between a server-bound and a generator-bound cell, ns.
 * In trials before this harness, with 100 connections, `-p 1` and a generator that never sleeps,
 * known costs of 1.04, 3.07 and 10.4 µs came out as 0.57, 2.69 and 10.01 µs: 0.4 to 0.5 too little.
 */
export const REGIME_BIAS_NS = 500;

/** HEADROOM: how many times a cell's throughput a canned answer has to reach. */
export const HEADROOM_RATIO = 1.2;

/**
 * UNSATURATED: how busy the server's cores have to be. In the median slice of a cell that the
 * generator did not limit, single processes kept theirs busy for 91 to 99 %. Clusters that share
 * them used 91 to 98 % of what the generator left (Express, Nest), but Fastify 79 to 96 and node:http 75 to 85 %.
 */
export const SERVER_BUSY_SHARE = 0.85;

/** THROTTLED: in which share of the periods of its quota a server is held back: less shows in no p99. */
export const THROTTLED_PERIODS = 0.01;

/** IMPOSSIBLE: by how much CPU time may exceed the cores. Cells came to 99.6 %, slices to 100 %. */
export const CORES_OVERUSE = 0.02;

/** IMPOSSIBLE: the edges of a window are no instants: CPU time is read up to so much before or after. */
export const EDGE_NS = 2e6;

/**
 * TOPOLOGY: CPU time of the least busy worker over that of the busiest in a launch. Of the 60
 * launches of clusters under the published load in frameworks it was 0.69 to 1.00, in cluster 0.99;
 * with 16 connections to two workers, one of which shares its core with the generator, 0.46 was seen.
 */
export const WORKER_EVENNESS = 1 / 3;

/**
 * TOPOLOGY: a launch that was measured for less time than this says nothing of evenness, ns: who gets
 * a core in tenths of a second is luck. A worker that hardly did anything shows even so.
 */
export const EVENNESS_NS = 1e9;
/** TOPOLOGY: the evenness below which a worker did not serve, however short the launch was. */
export const IDLE_EVENNESS = 0.05;

/**
 * UNSTEADY: throughput in the second half of a launch over that in the first. Of the
 * cells in frameworks 2 of 45 have their whole interval beyond it; in runs with slices of half a second to one
 * half of them have, since what comes right after a warm-up is slower: by 8 to 14 %, over all of the first slice.
 */
export const HALVES_RATIO = 1.03;

/** IDLE_USE: as much of what a server used may be what it uses while nobody asks for anything. */
export const IDLE_SHARE = 0.1;

/** NOISY_HOST, LATE: so many of the slices may be disturbed, or sent late. */
export const DISTURBED_SLICES = 0.25;

/**
 * NOISY_HOST: in which share of the time something may disturb a slice. Of 950 slices:
 * - steal, of all cores' time: 0 in nearly all, 0.8 % at most;
 * - throttled, of the window: 0 in all; as steal, it takes the cores away;
 * - foreign, CPU time of other processes over the window, so of one core: 2.2 % in the median, 7.3 %
 *   in the 95th percentile, 13 % at most, and as low as −10 %, since it is counted in ticks of 10 ms.
 *
 * How long a server waited for its cores says nothing of strangers: on one core its own threads wait for each
 * other, up to 77 % of the time where much garbage is collected beside it, while strangers used 0 %.
 */
export const DISTURBANCE_LIMITS = { steal: 0.02, throttled: 0.02, foreign: 0.1 };

/**
 * BACKLOG: how many of the requests planned in a window have to be answered in it. Those still under
 * way when it closes are rate × latency: 5 % of a slice of 5 s are 250 ms.
 */
export const ANSWERED_SHARE = 0.95;
/** BACKLOG: requests a slice that may be under way when it ends. A server that keeps up has one too, at whatever rate. */
export const UNDER_WAY = 1;

/** INCONCLUSIVE: the widest interval, ± this share of the value, where the user asked for none, … */
export const WIDEST_SHARE = 0.1;
/** … and of the requests/s of single processes. */
export const WIDEST_SINGLE_SHARE = 0.05;
