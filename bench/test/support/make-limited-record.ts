import type { RunRecord } from '../../src/record/record.ts';
import { frameworks } from '../../src/suites/frameworks.ts';
import { ratesOf } from '../../src/suites/rates.ts';
import { onLimits } from '../../src/targets/copies.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import { makeRecord, makeTarget, type Story } from './make-record.ts';

/** A run of one target under limits, as one thread and as two. */
export interface Limited {
  /** At 500 requests/s where nothing is said; else at saturation. */
  suite?: 'closed';
  limits: number[];
  /** Of so many threads in a launch; p95 is half of it. */
  p99Ms: (threads: number, launch: number) => number;
  /** How many requests of a slice, of so many threads, were never sent; at a rate. */
  dropped?: (threads: number, launch: number) => number;
  scale?: LocalTarget['scale'];
  withFloor?: boolean;
}

/** Of 100 requests two take as long as p99 says, and eight half as long. */
const latencies = (p99Ms: number) => [
  ...Array.from({ length: 90 }, () => 1),
  ...Array.from({ length: 8 }, () => p99Ms / 2),
  ...Array.from({ length: 2 }, () => p99Ms),
];

/** The record of such a run: limits below half a core were reached in half of the periods. */
export function makeLimitedRecord({ suite, limits, p99Ms, ...parts }: Limited): RunRecord {
  const { scale = { by: 'threads', env: 'GOMAXPROCS' }, withFloor = false, dropped } = parts;
  const over = withFloor ? 'floor' : null;
  const app = makeTarget('app', { label: 'App', scale, start: ['./app'], over });
  if (scale.by === 'processes') app.start = ['node', 'main.js'];
  const own = withFloor ? [makeTarget('floor', { label: 'Floor' }), app] : [app];
  const targets = onLimits(own, limits);
  const limitOf = (name: string) => targets.find((each) => each.name === name)?.cpuLimit ?? 0;
  const story: Story = ({ target, topology }, launch, round) => {
    const threads = topology === 'single' ? 1 : Number(topology);
    const isHeld = limitOf(target) < 0.5;
    return {
      ok: 500 / threads,
      latenciesMs: latencies(p99Ms(threads, launch) * (1 + round / 100)),
      cpuUsPerResponse: 100,
      ...(dropped && { pace: { dropped: dropped(threads, launch) } }),
      throttling: {
        periods: 10,
        throttledPeriods: isHeld ? 5 : 0,
        throttledNs: isHeld ? 2e8 : 0,
      },
    };
  };
  const load = suite === 'closed' ? { connections: 100, pipelining: 10 } : {};
  const rates = suite === 'closed' ? null : [{ kind: 'per second' as const, perS: 500 }];
  const options = { topologies: ['single' as const, 2], launches: 3, durationS: 6, rates, ...load };
  const kind = suite === 'closed' ? frameworks : ratesOf('frameworks');
  return makeRecord({ suite: kind, targets, options }, story);
}
