import { FEWEST_LAUNCHES } from '../figures/figures.ts';
import { LATE_SHARE } from '../figures/latency.ts';
import { coresName } from '../targets/copies.ts';
import type { Code, Flag } from '../validity/flags.ts';
import { REGIME_BIAS_NS } from '../validity/thresholds.ts';
import { count, milliseconds, outOf, percent, plural, ratio, ratioRange, time } from './format.ts';
import { capitalized } from './names.ts';

type FlagOf<C extends Code> = Extract<Flag, { code: C }>;

interface FlagText<C extends Code> {
  /** What is wrong and what to do, in one line of a table's footnotes. */
  brief: string;
  /** Sentences that go on from there. */
  more: string;
  evidence: (flag: FlagOf<C>) => string;
}

export const FLAG_TEXTS: { [C in Code]: FlagText<C> } = {
  BAD_RESPONSE: {
    brief: 'some answers were wrong: fix the server, or `expect`',
    more: 'These are figures of other work. See what it answers under load; `expect` is in its bench block.',
    evidence: ({ wrong, answers }) =>
      `${outOf(wrong, answers, 'answer')} had the wrong status or body`,
  },
  LEDGER: {
    brief: 'requests are unaccounted for: run it again, and report it if it stays',
    more: 'Every count is in doubt. If it stays, it is a bug: please attach the record.',
    evidence: ({ unaccounted, sent }) =>
      `${outOf(unaccounted, sent, 'request')} sent are unaccounted for`,
  },
  GENERATOR_LOST: {
    brief: 'a host that sends load was lost: check that it can be reached, and measure again',
    more: 'It was lost, or stalled for too long: the server got less than the rate, and some answers were not counted. The host needs CPU and memory to spare.',
    evidence: ({ slices, of, share }) =>
      `in ${outOf(slices, of, 'slice')}; nothing is known of ${percent(share)} of the requests planned there`,
  },
  LITTLE: {
    brief: 'latency and throughput contradict each other: measure longer slices (--slice)',
    more: "By Little's law, mean latency × throughput is connections × pipelining: one of the two is wrong. If it stays, please report it and attach the record.",
    evidence: (flag) =>
      `mean latency × throughput is ${ratio(flag.ratio)} times connections × pipelining; ${ratio(flag.low)} to ${ratio(flag.high)} can be explained`,
  },
  CENSORED: {
    brief: 'some requests were never answered: lower the concurrency (-c, -p)',
    more: 'Each counts as longer than it had waited. Once one has waited for the whole timeout, longer times cannot be told apart and print as `> 10 s`. Fewer connections (-c) or less pipelining (-p) lower the concurrency.',
    evidence: ({ timedOut, disconnected, answered, waiting }) => {
      const outcomes = `${plural(timedOut, 'request')} timed out, ${count(disconnected)} lost the connection, ${count(answered)} were answered`;
      return waiting === null
        ? outcomes
        : `${outcomes}; ${percent(waiting)} of those in flight at any time got no answer`;
    },
  },
  GENERATOR_BOUND: {
    brief: 'the generator was the limit: read requests/s as a lower bound',
    more: 'The server can answer at least this many, maybe more. Compare CPU per request under the cost load. overhead adds a generator by itself where a core is free.',
    evidence: ({ idleShare }) => `the generator was idle ${percent(idleShare)} of the time`,
  },
  REGIME: {
    brief: 'compare CPU per request under the cost load',
    more: `The generator was the limit of one of the two, the server of the other: CPU per request may be off by up to ${time(REGIME_BIAS_NS)} between them. The cost load (-c 100 -p 10) makes the server the limit of both.`,
    evidence: ({ idleShare, otherIdleShare, otherTarget }) =>
      `the generator was idle ${percent(idleShare)} of the time, and ${percent(otherIdleShare)} with ${otherTarget}`,
  },
  HEADROOM: {
    brief: 'the generator has little headroom: read requests/s as a lower bound',
    more: 'A server that only sends a canned answer is hardly faster: the figure depends on the machine and the generator as much as on the server. More cores give more headroom.',
    evidence: (flag) =>
      `the canned server answered ${ratio(flag.ratio)} times as many requests a second`,
  },
  UNSATURATED: {
    brief: 'something else was the limit: raise the concurrency (-c, -p)',
    more: 'Neither the server nor the generator was busy all the time. More connections (-c) or pipelining (-p) raise the concurrency; where the two share cores, measure on more of them.',
    evidence: ({ busyShare, idleShare }) =>
      `the server used ${percent(busyShare)} of its cores, and the generator was idle ${percent(idleShare)} of the time`,
  },
  SHARED_CPU: {
    brief: 'server and generator share cores: compare only rows with this flag',
    more: 'The generator takes CPU time from the server, unless there is one core more than processes.',
    evidence: ({ workers, by, cores }) =>
      `${plural(workers, by === 'threads' ? 'server thread' : 'server process')} and the generator share ${plural(cores, 'core')}`,
  },
  LATE: {
    brief: 'the generator sent late: latency is from the other slices only',
    more: 'In too many slices requests left later than planned. Latency counts from the planned time; where every slice was late, it includes the delay. A lower --rate helps, or at thousands of requests a second fewer connections (-c 100), since opening many takes long. A generator with a core of its own is on time more often.',
    evidence: ({ late, slices, p99Ns }) =>
      `in ${outOf(late, slices, 'slice')} more than ${LATE_SHARE * 100} % of the requests left more than 1 ms late; the p99 of the delay was ${milliseconds(p99Ns)} ms in the median slice`,
  },
  DROPPED: {
    brief: 'requests were never sent: lower --rate, or allow more in flight (-c)',
    more: 'They were due while -c requests were in flight: the server got less than the rate.',
    evidence: ({ dropped, planned }) =>
      `${outOf(dropped, planned, 'planned request')} were never sent`,
  },
  BACKLOG: {
    brief: 'it could not keep up: read its latency as that of an overload',
    more: 'Planned requests queue up, and latency keeps growing. A lower --rate avoids it.',
    evidence: ({ answeredShare }) =>
      `${percent(answeredShare)} of the requests planned in the windows were answered in them`,
  },
  THROTTLED: {
    brief: 'its CPU limit throttled it, as --cpu-limit asks',
    more: 'Requests wait for the next period of the quota, up to a tenth of a second. Compare topologies under the limit, and a higher limit.',
    evidence: ({ cores, periodsShare }) =>
      `its limit of ${coresName(cores)} throttled it in ${percent(periodsShare)} of the periods`,
  },
  UNSTEADY: {
    brief: 'it was not steady: warm up longer (--warmup), or measure longer (-d)',
    more: 'It was still getting faster or slower, or not every connection had been answered at the start.',
    evidence: ({ halves, capped, slices }) => {
      const change = `the second half of a launch had ${ratioRange(halves)} times the requests/s of the first`;
      const early = `in ${outOf(capped, slices, 'slice')} not every connection had been answered`;
      return [halves.kind === 'none' ? [] : change, capped === 0 ? [] : early].flat().join('; ');
    },
  },
  UNSETTLED: {
    brief: 'it had not settled before it was measured: warm up longer (--warmup)',
    more: 'Too few launches are left for a rank and a verdict; --launches takes more.',
    evidence: ({ settled, launches }) => `settled in ${outOf(settled, launches, 'launch')}`,
  },
  OTHER_RUN: {
    brief: 'another run was measuring at the same time: run one at a time',
    more: 'Runs on the same machine disturb each other.',
    evidence: () => 'another run was measuring at the same time',
  },
  NOT_QUIET: {
    brief: 'it was still busy long after its last request: some of its work may be missing',
    more: 'It used CPU time even 10 s later. The figures are lower bounds; see what it does so late.',
    evidence: ({ busy, slices }) => `it was still busy after ${outOf(busy, slices, 'slice')}`,
  },
  IDLE_USE: {
    brief: 'much of its CPU time is idle use, which is subtracted',
    more: 'The interval includes its error. See what the server does when idle: timers, polling, threads.',
    evidence: ({ share }) => `${percent(share)} of its CPU time is what it uses when idle`,
  },
  NOISY_HOST: {
    brief: 'other programs disturbed it: measure on a quieter machine',
    more: 'Steal, a CPU quota or other programs took CPU time in too many slices.',
    evidence: ({ disturbed, slices, worst: { kind, share } }) => {
      const worst = {
        steal: 'the host took the cores away',
        throttled: 'a CPU quota throttled everything',
        foreign: 'other programs used a core',
      };
      return `${outOf(disturbed, slices, 'slice')} were disturbed; at worst ${worst[kind]} for ${percent(share)} of the time`;
    },
  },
  FAILED: {
    brief: 'it failed in a launch, which is left out: read its last lines below',
    more: 'All figures are from the other launches.',
    evidence: ({ when, launch, died, measured, launches }) =>
      `${died ? 'a process died' : 'it failed'} in launch ${launch + 1} (${when}); measured in ${outOf(measured, launches, 'launch')}`,
  },
  TOPOLOGY: {
    brief: 'the work was not spread over the workers: give it more connections (-c)',
    more: 'This is not what so many processes can do. See how connections reach the workers.',
    evidence: unevenText('worker'),
  },
  SPREAD: {
    brief: 'the kernel spread its connections unevenly: give it more of them (-c)',
    more: 'It assigns them by a hash of their addresses, so some processes have less to do. This is how servers that share a port perform: nothing is wrong.',
    evidence: unevenText('process'),
  },
  IMPOSSIBLE: {
    brief: 'it used more CPU time than its cores have: check `taskset`',
    more: 'Counters, pinning or limit are wrong. `cpuSource` in the record says what counted.',
    evidence: ({ usedShare, cores }) =>
      `it used ${percent(usedShare)} of what ${coresName(cores)} can give`,
  },
  INCONCLUSIVE: {
    brief: 'not precise enough: measure longer (-d), or until it is (--until)',
    more: 'The next run may show a different figure. More launches (--launches) also help.',
    evidence: ({ halfShare, launches, asked }) => {
      const width = halfShare === null ? '?' : percent(halfShare);
      const from = plural(launches, 'launch');
      return `±${width} from ${from}, not ±${percent(asked)} from ${FEWEST_LAUNCHES} or more`;
    },
  },
};

function unevenText(what: string) {
  return ({ launch, evenness }: { launch: number; evenness: number }) =>
    `in launch ${launch + 1} the least busy ${what} used ${percent(evenness)} of the CPU time of the busiest`;
}

/** What a flag means, and what to do. */
export function meaningOf(code: Code): string {
  const { brief, more } = FLAG_TEXTS[code];
  return `${capitalized(brief)}. ${more}`;
}

/** What was seen that raised a flag, in a few words. */
export function evidenceText<C extends Code>(flag: FlagOf<C>): string {
  return FLAG_TEXTS[flag.code].evidence(flag);
}
