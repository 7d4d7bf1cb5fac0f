import type { PilotResult } from '../../src/plan/loads.ts';
import type { RunRecord } from '../../src/record/record.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { cluster } from '../../src/suites/cluster.ts';
import { makeRecord, makeTarget, type Story } from './make-record.ts';

/** What a request of the slowest target takes, alone, ms. */
export const SERVICE_MS = 100;
const BASIS: PilotResult = { kind: 'service', server: 'fib/single', serviceNs: SERVICE_MS * 1e6 };

/** A record of the cluster suite: three launches of two rounds, where nothing else is said. */
export function makeClusterRecord(
  story: Story,
  {
    topologies = ['single', 2, 4],
    targets = [makeTarget('fib', { suite: 'cluster' })],
    options = {},
    ...parts
  }: Parameters<typeof makeRecord>[0] & Pick<Partial<RunOptions>, 'topologies'> = {},
): RunRecord {
  const amounts = { pipelining: 10, launches: 3, durationS: 10, sliceS: 10 };
  const asked = { topologies, ...amounts, ...options };
  return makeRecord({ suite: cluster, targets, pilot: BASIS, options: asked, ...parts }, story);
}
