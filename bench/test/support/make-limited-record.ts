import type { RunRecord } from '../../src/record/record.ts';
import { frameworks } from '../../src/suites/frameworks.ts';
import { ratesOf } from '../../src/suites/rates.ts';
import { perLimit } from '../../src/targets/copies.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import { makeRecord, makeTarget, type Story } from './make-record.ts';

/** A run of one target under limits, as one thread and as two. */
export interface Limited {
  /** At saturation; at 500 requests/s by default. */
  suite?: 'closed';
  limits: number[];
  /** With so many threads in a launch; p95 is half of it. */
  p99Ms: (threads: number, launch: number) => number;
  /** How many requests of a slice, with so many threads, were never sent; at a rate. */
  dropped?: (threads: number, launch: number) => number;
  scale?: LocalTarget['scale'];
  withFloor?: boolean;
}

const repeat = (count: number, ms: number) => Array.from({ length: count }, () => ms);

/** The record of such a run: limits below half a core were reached in half of the periods. */
export function makeLimitedRecord({ suite, limits, p99Ms, ...parts }: Limited): RunRecord {
  const { scale = { by: 'threads', env: 'GOMAXPROCS' }, withFloor = false, dropped } = parts;
  const start: LocalTarget['start'] = scale.by === 'processes' ? ['node', 'main.js'] : ['./app'];
  const app = makeTarget('app', { label: 'App', scale, start, over: withFloor ? 'floor' : null });
  const own = withFloor ? [makeTarget('floor', { label: 'Floor' }), app] : [app];
  const targets = perLimit(own, limits);
  const limitOf = (name: string) => targets.find((each) => each.name === name)?.cpuLimit ?? 0;
  const story: Story = ({ target, topology }, launch, round) => {
    const threads = topology === 'single' ? 1 : Number(topology);
    const isThrottled = limitOf(target) < 0.5;
    const slowestMs = p99Ms(threads, launch) * (1 + round / 100);
    return {
      ok: 500 / threads,
      // Of 100 requests two take as long as p99 says, and eight half as long.
      latenciesMs: [...repeat(90, 1), ...repeat(8, slowestMs / 2), ...repeat(2, slowestMs)],
      cpuUsPerResponse: 100,
      ...(dropped && { pace: { dropped: dropped(threads, launch) } }),
      throttling: {
        periods: 10,
        throttledPeriods: isThrottled ? 5 : 0,
        throttledNs: isThrottled ? 2e8 : 0,
      },
    };
  };
  const amounts = { topologies: ['single' as const, 2], launches: 3, durationS: 6 };
  if (suite === 'closed') {
    const options = { ...amounts, connections: 100, pipelining: 10 };
    return makeRecord({ suite: frameworks, targets, options }, story);
  }
  const options = { ...amounts, rates: [{ kind: 'per second' as const, perS: 500 }] };
  return makeRecord({ suite: ratesOf('frameworks'), targets, options }, story);
}
