/**
 * The limit of each flag, and what was seen beside it in this project's own runs (docs/runs, two cores of a shared
 * machine): sliced ones (frameworks, quick, twins, floor), and cluster, an overload without interruption. The limit for
 * the generator is in load/bottleneck.ts.
 */

/** LEDGER: the share of the requests sent that may be unaccounted for. It was 0 in every slice of every run. */
export const UNACCOUNTED_SHARE = 0.001;

/**
 * LITTLE: how far mean latency × throughput may be from connections × pipelining, beyond what unanswered requests and
 * the edges of the window, one mean latency, explain. It was 0.999 to 1.009 times that in slices of 0.75 to 1 s with a
 * mean latency of 1 to 2 % of the window; 0.003 and 0.010 times in cluster, where hardly anything was answered. A block
 * ends only once everything is answered: with blocks of 50 ms and latencies of 11 to 19 ms it was 0.88 to 0.77 times.
 */
export const LITTLE_STRAY = 0.02;
/** LITTLE: a window opens and closes anywhere within a turn of the generator's event loop, ns; the longest took 13 ms. */
export const LONGEST_TURN_NS = 1.5e7;
/**
 * LITTLE: how long a connection may be idle after an answer, while the generator reads others, ns. It is all that is
 * missing with ten connections to a hello world of 0.2 ms, and negligible beside a latency of 10 ms.
 */
export const TURNAROUND_NS = 1e5;

/**
 * REGIME: by how much CPU per request may be off between server-bound and generator-bound cells, ns. With 100
 * connections, `-p 1` and a generator that never sleeps, 1.04, 3.07 and 10.4 µs were measured as 0.57, 2.69 and 10.01.
 */
export const REGIME_BIAS_NS = 500;

/** HEADROOM: how many times a cell's throughput a canned answer must reach. */
export const HEADROOM_RATIO = 1.2;

/**
 * UNSATURATED: how busy the server's cores must be in the median slice. Single processes that the generator did not
 * limit were busy 91 to 99 % of the time. Clusters that share cores with the generator used 91 to 98 % of what it left
 * (Express, Nest), but Fastify 79 to 96 and node:http 75 to 85 %.
 */
export const SERVER_BUSY_SHARE = 0.85;

/** THROTTLED: the share of the periods of its quota in which a server is throttled. Less does not show in a p99. */
export const THROTTLED_PERIODS = 0.01;

/** IMPOSSIBLE: by how much CPU time may exceed the cores. Cells reached 99.6 %, slices 100 %. */
export const CORES_OVERUSE = 0.02;
/** IMPOSSIBLE: how long before or after the edge of a window CPU time may be read, ns. */
export const EDGE_NS = 2e6;

/**
 * TOPOLOGY, SPREAD: CPU time of the least busy worker over that of the busiest in a launch. In 60 launches of clusters
 * under the published load it was 0.69 to 1.00, in cluster 0.99; with 16 connections to two workers, one of which shares
 * its core with the generator, 0.46.
 */
export const LEAST_EVENNESS = {
  usual: 1 / 3,
  /** In a launch measured for less than `briefNs`, chance decides who gets a core: a worker has to be all but idle. */
  brief: 0.05,
  briefNs: 1e9,
};

/**
 * UNSTEADY: throughput in the second half of a launch over that in the first. In frameworks 2 of 45 cells are wholly
 * beyond it; in runs with slices of 0.5 to 1 s half of them, since the first slice after a warm-up is 8 to 14 % slower.
 */
export const HALVES_RATIO = 1.03;

/** IDLE_USE: the share of the CPU time a server used that may be its idle use. */
export const IDLE_SHARE = 0.1;

/** NOISY_HOST, LATE: the share of the slices that may be disturbed, or sent late. */
export const DISTURBED_SLICES = 0.25;
/**
 * NOISY_HOST: for which share of the time something may disturb a slice. Of 950 slices:
 * - steal, of the time of all cores: 0 in nearly all, 0.8 % at most;
 * - throttled, of the window: 0 in all; like steal, it takes the cores away;
 * - foreign, CPU time of other programs over the window, so of one core: 2.2 % in the median, 7.3 % in the 95th
 *   percentile, 13 % at most, and as low as −10 %, since it is counted in ticks of 10 ms.
 *
 * How long a server waited for its cores says nothing: on one core its own threads wait for each other, up to 77 % of the
 * time if its garbage collector has much to do, while other programs used 0 %.
 */
export const DISTURBANCE_LIMITS = { steal: 0.02, throttled: 0.02, foreign: 0.1 };

/**
 * BACKLOG: the share of the requests planned in a window that must be answered in it. Those in flight when it closes
 * are rate × latency: 5 % of a slice of 5 s are 250 ms.
 */
export const ANSWERED_SHARE = 0.95;
/** BACKLOG: requests in flight at the end of a slice that do not count. Even a server that keeps up has one. */
export const UNDER_WAY = 1;

/** INCONCLUSIVE: the widest interval without `--until`, ± a share of the value; `single`: requests/s of one process. */
export const WIDEST_SHARES = { usual: 0.1, single: 0.05 };
