import { median } from 'simple-statistics';
import type { Basis } from '../plan/loads.ts';
import { loadOf } from '../plan/plan.ts';
import type { RunRecord } from '../record/record.ts';
import { meanLatencyOf, slicesOf, throughputOf } from './figures.ts';

/**
 * What the record of a pilot says of the slowest server: its service time, where requests came one at
 * a time, and its capacity otherwise; null where no server answered.
 */
export function basisOf(record: RunRecord): Basis | null {
  const [slowest] = record.plan.cells
    .map((cell) => ({ cell, slices: slicesOf(record, cell) }))
    .filter(({ slices }) => slices.length > 0)
    .map((each) => ({ ...each, perS: median(each.slices.map(throughputOf)) }))
    .filter(({ perS }) => perS > 0)
    .toSorted((a, b) => a.perS - b.perS);
  if (slowest === undefined) return null;
  const { cell, slices, perS } = slowest;
  const { server } = cell;
  if (loadOf(record.plan, cell.load).saturates) return { kind: 'capacity', server, perS };
  return { kind: 'service', server, serviceNs: median(slices.map(meanLatencyOf)) };
}
