import type { RunRecord } from '../../src/record/record.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { cluster } from '../../src/suites/cluster.ts';
import { makeRecord, makeTarget, type Recorded, type Story } from './make-record.ts';

/** The service time of the slowest target, ms. */
export const SERVICE_MS = 100;
const PILOT = { kind: 'service', server: 'fib/single', serviceNs: SERVICE_MS * 1e6 } as const;
const TARGETS = [makeTarget('fib', { suite: 'cluster' })];

type Parts = Recorded & Partial<Pick<RunOptions, 'topologies'>>;

/** A record of the cluster suite: three launches of two rounds by default. */
export function makeClusterRecord(story: Story, given: Parts = {}): RunRecord {
  const { topologies = ['single', 2, 4], ...parts } = given;
  const amounts = { topologies, pipelining: 10, launches: 3, durationS: 10, sliceS: 10 };
  const options = { ...amounts, ...parts.options };
  return makeRecord({ suite: cluster, targets: TARGETS, pilot: PILOT, ...parts, options }, story);
}
