import { frameworks } from '../../src/suites/frameworks.ts';
import { ratesOf } from '../../src/suites/rates.ts';
import { perLimit } from '../../src/targets/copies.ts';
import { makeRecord, makeTarget, type Story } from './make-record.ts';

/** A run of one target under CPU limits, with one thread and with more. */
export interface Limited {
  /** A closed loop; by default an open one at 500 requests/s. */
  isClosed?: boolean;
  limits: number[];
  /** Of threads, beside one; two by default. */
  numbers?: number[];
  /** By number of threads and limit, cores; p95 is half of it. */
  p99Ms: (threads: number, launch: number, cores: number) => number;
  /** The requests of a slice that were never sent, in an open loop. */
  dropped?: (threads: number, launch: number) => number;
  withFloor?: boolean;
}

const THROTTLED = { throttledPeriods: 5, throttledNs: 2e8 };
const FREE = { throttledPeriods: 0, throttledNs: 0 };
const repeat = (count: number, ms: number) => Array.from({ length: count }, () => ms);

/** The record of such a run: with a limit below half a core, half of the periods were throttled. */
export function makeLimitedRecord({ numbers = [2], ...limited }: Limited) {
  const { isClosed, limits, p99Ms, dropped, withFloor } = limited;
  const app = makeTarget('app', {
    label: 'App',
    scale: { by: 'threads', env: 'GOMAXPROCS' },
    start: ['./app'],
    over: withFloor ? 'floor' : null,
  });
  const floor = makeTarget('floor', { label: 'Floor' });
  const targets = perLimit(withFloor ? [floor, app] : [app], limits);
  const limitOf = (name: string) => targets.find((each) => each.name === name)?.cpuLimit ?? 0;
  const story: Story = ({ target, topology }, launch, round) => {
    const threads = topology === 'single' ? 1 : Number(topology);
    const cores = limitOf(target);
    const isThrottled = cores < 0.5;
    const slowestMs = p99Ms(threads, launch, cores) * (1 + round / 100);
    return {
      ok: 500 / threads,
      // Two of 100 requests take as long as p99, and eight half as long.
      latenciesMs: [...repeat(90, 1), ...repeat(8, slowestMs / 2), ...repeat(2, slowestMs)],
      cpuUsPerResponse: 100,
      ...(dropped && { pace: { dropped: dropped(threads, launch) } }),
      throttling: { periods: 10, ...(isThrottled ? THROTTLED : FREE) },
    };
  };
  const topologies = ['single' as const, ...numbers];
  const closed = { connections: 100, pipelining: 10 };
  const open = { rates: [{ kind: 'per second' as const, perS: 500 }] };
  const [suite, load] = isClosed ? [frameworks, closed] : [ratesOf('frameworks'), open];
  const options = { topologies, launches: 3, durationS: 6, ...load };
  return makeRecord({ suite, targets, options }, story);
}
