import { median } from 'simple-statistics';
import type { Basis } from '../plan/loads.ts';
import { loadOf } from '../plan/plan.ts';
import type { RunRecord } from '../record/record.ts';
import { cpuPerRequestOf, meanLatencyOf, samples, slicesOf, throughputOf } from './figures.ts';

/**
 * What the record of a pilot says: at a rate, of the server whose requests are the dearest; otherwise of
 * the slowest one its service time, where requests came one at a time, or its capacity. Null where no
 * server answered.
 */
export function basisOf(record: RunRecord): Basis | null {
  return record.plan.loads.some(({ kind }) => kind === 'open')
    ? dearestOf(record)
    : slowestOf(record);
}

function dearestOf(record: RunRecord): Basis | null {
  const [dearest] = record.plan.cells
    .map((cell) => ({ cell, cpuNs: samples(slicesOf(record, cell), cpuPerRequestOf) }))
    .filter(({ cpuNs }) => cpuNs.length > 0)
    .map(({ cell, cpuNs }) => ({ cell, cpuNs: median(cpuNs.map(({ value }) => value)) }))
    .toSorted((a, b) => b.cpuNs - a.cpuNs);
  if (dearest === undefined || dearest.cpuNs === 0) return null;
  return { kind: 'lone', server: dearest.cell.server, cpuNs: dearest.cpuNs };
}

function slowestOf(record: RunRecord): Basis | null {
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
