import { FEWEST_LAUNCHES } from '../figures/figures.ts';
import { LATE_SHARE } from '../figures/on-schedule.ts';
import { coresName } from '../targets/copies.ts';
import type { Code, Flag } from '../validity/flags.ts';
import type { Disturbance } from '../validity/noise.ts';
import { REGIME_BIAS_NS } from '../validity/thresholds.ts';
import { count, microseconds, milliseconds, percent, plural, ratio, ratioRange } from './format.ts';

/** What each flag means, what to do about it, and the gist of both in a line. */
export const FLAG_TEXTS: Record<Code, { brief: string; means: string; todo: string }> = {
  BAD_RESPONSE: {
    brief: 'it did not always give the declared answer: correct the server, or `expect`',
    means:
      'The server did not always give the declared answer, so its speed is that of other work.',
    todo: 'Look at what it answers under load; correct the server, or `expect` in its bench block.',
  },
  LEDGER: {
    brief: 'requests are unaccounted for: run it again, and report it if it stays',
    means: 'Some requests are unaccounted for, so the counts behind every figure are in doubt.',
    todo: 'Run it again. If it stays, this is a fault of the harness: please report it with the record.',
  },
  GENERATOR_LOST: {
    brief: 'a host that sends was lost: see that it can be reached, and measure again',
    means:
      'A host that sends a part of the load was lost, or paused for too long. The server got less than the rate, and may have answered requests that nobody counted.',
    todo: 'See that the host can be reached and has CPU and memory to spare, and measure again.',
  },
  LITTLE: {
    brief: 'latency and throughput contradict each other: measure longer slices (--slice)',
    means:
      "Mean latency × throughput is not connections × pipelining, as by Little's law it has to be, so one of the two is wrong.",
    todo: 'Measure longer slices (--slice). If it stays, please report it with the record.',
  },
  CENSORED: {
    brief: 'some requests were never answered: ask for less at a time (-c, -p)',
    means:
      'Some requests were never answered. One without an answer counts as longer than it had waited; once one has waited for the time-out, nothing beyond that can be told apart, and prints as `> 10 s`.',
    todo: 'Ask for less at a time: fewer connections (-c) or less pipelining (-p).',
  },
  GENERATOR_BOUND: {
    brief: 'the generator was the limit: read requests/s as a lower bound',
    means:
      'The load generator was the limit: the server could answer at least so many, maybe more.',
    todo: 'Read its requests/s as a lower bound; compare CPU per request under the cost load. Where a core is free the harness adds a generator by itself.',
  },
  REGIME: {
    brief: 'compare CPU per request under the cost load',
    means: `In one of the two the generator was the limit, in the other the server: CPU per request of the two may be off by up to ${microseconds(REGIME_BIAS_NS)} µs against each other.`,
    todo: 'Compare them under the cost load (-c 100 -p 10), where the server is the limit in both.',
  },
  HEADROOM: {
    brief: 'the generator has little room beyond this: read requests/s as a lower bound',
    means:
      'A server that only sends a canned answer is hardly faster, so this figure is as much about the machine and the generator as about the server.',
    todo: 'Read its requests/s as a lower bound; more cores make room.',
  },
  UNSATURATED: {
    brief: 'something else was the limit: put more on it (-c, -p)',
    means:
      'Neither the server nor the generator was busy all the time, so something else was the limit.',
    todo: 'Put more on it: more connections (-c) or more pipelining (-p). Where they share cores, measure on more of them.',
  },
  SHARED_CPU: {
    brief: 'server and generator share cores: compare only with each other',
    means:
      'Server and generator share their cores, so the generator takes part of what it measures.',
    todo: 'Compare such cells only with each other, or measure on a machine with a core more than processes.',
  },
  LATE: {
    brief: 'the generator sent late: latency is that of the other slices alone',
    means:
      'In too many slices the generator sent requests later than planned, by its own fault. Latency counts from the plan, so it is that of the other slices alone; where there are none, it holds the lateness too.',
    todo: 'Ask for a lower --rate, or at thousands a second for fewer connections (-c 100), since opening many takes it long; a generator on a core of its own keeps time better.',
  },
  DROPPED: {
    brief: 'requests were never sent: ask for a lower --rate, or allow more (-c)',
    means:
      'Requests that were due were never sent, since as many as -c allows were under way: the server got less than the rate.',
    todo: 'Ask for a lower --rate, or allow more under way (-c).',
  },
  BACKLOG: {
    brief: 'it could not keep up: read its latency as that of an overload',
    means:
      'The server answered fewer requests than were planned: they queue up, and latency grows for as long as it goes on.',
    todo: 'Read its latency as that of an overload; ask for a lower --rate.',
  },
  THROTTLED: {
    brief: 'its own CPU limit held it back, as --cpu-limit asks',
    means:
      'Its own CPU limit held the server back, as --cpu-limit asks: requests wait until the quota is given anew, up to a tenth of a second.',
    todo: 'Read it as what the server does with this limit; compare topologies under it, and a higher one.',
  },
  UNSTEADY: {
    brief: 'it had not settled: warm up longer (--warmup), or measure longer (-d)',
    means:
      'The server had not settled: it still got faster or slower, or not every connection had been answered when the measurement began.',
    todo: 'Warm up longer (--warmup), or measure longer (-d).',
  },
  UNSETTLED: {
    brief: 'it had not settled before it was measured: warm up longer (--warmup)',
    means:
      'In too few launches the server had settled before it was measured, so it has no rank and no verdict.',
    todo: 'Warm up longer (--warmup), or take more launches (--launches).',
  },
  OTHER_RUN: {
    brief: 'another run went on beside it: run one at a time',
    means: 'Another run measured on this machine at the same time: they disturbed each other.',
    todo: 'Run one at a time.',
  },
  NOT_QUIET: {
    brief: 'it was still busy long after its last request: some of its work may be missing',
    means:
      'The server still used CPU time 10 s after its last request, so some of the work of its requests may be missing.',
    todo: 'Look at what it does late: the figures are a lower bound.',
  },
  IDLE_USE: {
    brief: 'much of its CPU time is idle use, which is taken off',
    means:
      'Much of the CPU time of the server is what it uses while nobody asks for anything. That is taken off; how well it is known is in the interval.',
    todo: 'Look at what it does idle: timers, polling, other threads.',
  },
  NOISY_HOST: {
    brief: 'other programs disturbed it: measure on a quieter machine',
    means: 'Other programs used the processor during too many slices.',
    todo: 'Stop other programs, or measure on a quieter machine.',
  },
  FAILED: {
    brief: 'it failed in a launch, which is left out: read its last lines below',
    means: 'The server failed in a launch, which is left out; all figures are of the others.',
    todo: 'Read its last lines in this report, and correct the server.',
  },
  TOPOLOGY: {
    brief: 'the work was not spread over the workers: give it more connections (-c)',
    means:
      'The work was not spread over the workers, so this is not what so many processes can do.',
    todo: 'Look at how connections are dealt to the workers; there have to be many for each.',
  },
  SPREAD: {
    brief: 'the kernel dealt its connections unevenly: give it more of them (-c)',
    means:
      'The kernel dealt the connections to the processes by their addresses, and some got far less to do: so such servers are, and this is what they do.',
    todo: 'Read it as it is, or give it more connections (-c), which spread more evenly.',
  },
  IMPOSSIBLE: {
    brief: 'it used more CPU time than its cores have: check `taskset`',
    means:
      'The server used more CPU time than its cores have, or than its limit allows, so the counters, the pinning or the limit are wrong.',
    todo: 'Check that `taskset` works here, and where CPU time comes from (`cpuSource` in the record).',
  },
  INCONCLUSIVE: {
    brief: 'not known well enough: measure longer (-d), or --until it is known',
    means: 'The figure is not known well enough: the next run may show another one.',
    todo: 'Measure longer (-d), with more launches (--launches), or until it is known (--until).',
  },
};

const DISTURBANCES: Record<Disturbance, string> = {
  steal: 'the host took the cores away for',
  throttled: 'a CPU quota held everything back for',
  foreign: 'other programs used a core for',
};

/** What was seen that made a flag fire, in a few words. */
export function evidenceText(flag: Flag): string {
  switch (flag.code) {
    case 'BAD_RESPONSE':
      return `${count(flag.wrong)} of ${plural(flag.answers, 'answer')} had another status or body`;
    case 'LEDGER':
      return `unaccounted for: ${count(flag.unaccounted)} of ${plural(flag.sent, 'request')} sent`;
    case 'LITTLE':
      return `mean latency × throughput is ${ratio(flag.ratio)} times connections × pipelining, where ${ratio(flag.low)} to ${ratio(flag.high)} can be explained`;
    case 'CENSORED':
      return (
        `${plural(flag.timedOut, 'request')} timed out, ${count(flag.disconnected)} lost with a connection, ` +
        `${count(flag.answered)} answered${waitingText(flag.waiting)}`
      );
    case 'GENERATOR_BOUND':
      return `the generator was idle for ${percent(flag.idleShare)} of the time`;
    case 'REGIME':
      return `the generator was idle for ${percent(flag.idleShare)} of the time, and for ${percent(flag.otherIdleShare)} with ${flag.otherTarget}`;
    case 'HEADROOM':
      return `the canned answer came ${ratio(flag.ratio)} times as often`;
    case 'UNSATURATED':
      return `the server used ${percent(flag.busyShare)} of its cores, and the generator was idle for ${percent(flag.idleShare)} of the time`;
    case 'SHARED_CPU':
      return `${workersText(flag)} and the generator on ${plural(flag.cores, 'core')}`;
    case 'LATE':
      return `in ${count(flag.late)} of ${plural(flag.slices, 'slice')} more than ${LATE_SHARE * 100} % of the requests left more than 1 ms late; the 99th percentile of the lateness was ${milliseconds(flag.p99Ns)} ms in the median slice`;
    case 'GENERATOR_LOST':
      return `in ${count(flag.slices)} of ${plural(flag.of, 'slice')}; ${percent(flag.share)} of the requests planned there are not known`;
    case 'DROPPED':
      return `${count(flag.dropped)} of ${count(flag.planned)} planned requests were never sent`;
    case 'BACKLOG':
      return `${percent(flag.answeredShare)} of the requests planned in the windows were answered in them`;
    case 'THROTTLED':
      return `${coresName(flag.cores)} held it back in ${percent(flag.periodsShare)} of the periods`;
    case 'UNSTEADY':
      return unsteadyText(flag);
    case 'NOISY_HOST':
      return `${count(flag.disturbed)} of ${plural(flag.slices, 'slice')} disturbed; at worst ${DISTURBANCES[flag.worst.kind]} ${percent(flag.worst.share)} of the time`;
    case 'FAILED':
      return failedText(flag);
    case 'OTHER_RUN':
      return 'another run went on beside it';
    case 'UNSETTLED':
      return `it had settled in ${count(flag.settled)} of ${plural(flag.launches, 'launch', 'launches')}`;
    case 'NOT_QUIET':
      return `it was still busy after ${count(flag.busy)} of ${plural(flag.slices, 'slice')}`;
    case 'IDLE_USE':
      return `${percent(flag.share)} of its CPU time is what it uses when nobody asks for anything`;
    case 'TOPOLOGY':
      return `in launch ${flag.launch + 1} the least busy worker used ${percent(flag.evenness)} of the CPU time of the busiest`;
    case 'SPREAD':
      return `in launch ${flag.launch + 1} the least busy process used ${percent(flag.evenness)} of the CPU time of the busiest`;
    case 'IMPOSSIBLE':
      return `it used ${percent(flag.usedShare)} of what ${coresName(flag.cores)} can give`;
    case 'INCONCLUSIVE':
      return inconclusiveText(flag);
  }
}

function failedText({ when, launch, died, measured, launches }: Extract<Flag, { code: 'FAILED' }>) {
  const how = died ? 'a process was gone' : 'it failed';
  return `${how} at ${when} in launch ${launch + 1}; measured in ${count(measured)} of ${plural(launches, 'launch', 'launches')}`;
}

function workersText({ workers, by }: Extract<Flag, { code: 'SHARED_CPU' }>): string {
  return by === 'threads'
    ? plural(workers, 'server thread')
    : plural(workers, 'server process', 'server processes');
}

function waitingText(share: number | null): string {
  return share === null ? '' : `; of those under way at any time ${percent(share)} got no answer`;
}

function unsteadyText({ halves, capped, slices }: Extract<Flag, { code: 'UNSTEADY' }>): string {
  const parts = [
    ...(halves.kind === 'none'
      ? []
      : [
          `the second half of a launch had ${ratioRange(halves)} times the requests/s of the first`,
        ]),
    ...(capped === 0
      ? []
      : [
          `in ${count(capped)} of ${plural(slices, 'slice')} not every connection had been answered`,
        ]),
  ];
  return parts.join('; ');
}

function inconclusiveText(flag: Extract<Flag, { code: 'INCONCLUSIVE' }>): string {
  const launches = plural(flag.launches, 'launch', 'launches');
  const width = flag.halfShare === null ? '±?' : `±${percent(flag.halfShare)}`;
  return `known to ${width} from ${launches}, not to ±${percent(flag.asked)} from ${FEWEST_LAUNCHES} or more`;
}
