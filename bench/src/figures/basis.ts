import { estimate, pointOf } from '../math/statistics.ts';
import type { PilotResult } from '../plan/loads.ts';
import { type Cell, loadOf } from '../plan/plan.ts';
import type { RunRecord } from '../record/record.ts';
import { CPU, type Figure, MEAN_LATENCY, samples, slicesOf, THROUGHPUT } from './figures.ts';

/**
 * What the record of a pilot says: at a rate, of the server whose requests are the dearest; otherwise of
 * the slowest one its service time, where requests came one at a time, or its capacity. Null where no
 * server answered.
 */
export function basisOf(record: RunRecord): PilotResult | null {
  return record.plan.loads.some(({ kind }) => kind === 'open')
    ? dearestOf(record)
    : slowestOf(record);
}

function dearestOf(record: RunRecord): PilotResult | null {
  const [dearest] = known(record, CPU).toSorted((a, b) => b.value - a.value);
  if (dearest === undefined || dearest.value <= 0) return null;
  return { kind: 'lone', server: dearest.cell.server, cpuNs: dearest.value };
}

function slowestOf(record: RunRecord): PilotResult | null {
  const [slowest] = known(record, THROUGHPUT)
    .filter(({ value }) => value > 0)
    .toSorted((a, b) => a.value - b.value);
  if (slowest === undefined) return null;
  const { cell, value: perS } = slowest;
  const { server } = cell;
  if (loadOf(record.plan, cell.load).saturates) return { kind: 'capacity', server, perS };
  const serviceNs = figureOf(record, cell, MEAN_LATENCY);
  return serviceNs === null ? null : { kind: 'service', server, serviceNs };
}

function known(record: RunRecord, figure: Figure): { cell: Cell; value: number }[] {
  return record.plan.cells.flatMap((cell) => {
    const value = figureOf(record, cell, figure);
    return value === null ? [] : [{ cell, value }];
  });
}

function figureOf(record: RunRecord, cell: Cell, figure: Figure): number | null {
  return pointOf(estimate(samples(slicesOf(record, cell), figure)));
}
