import { pointOf } from '../math/statistics.ts';
import type { PilotResult } from '../plan/loads.ts';
import { loadOf } from '../plan/plan.ts';
import type { RunRecord } from '../record/record.ts';
import { CPU, type Figure, figureOf, MEAN_LATENCY, THROUGHPUT } from './figures.ts';

/**
 * What the record of a pilot says: at a rate, of the server whose requests are the dearest; otherwise of
 * the slowest one its service time, where requests came one at a time, or its capacity. Null where no
 * server answered.
 */
export function basisOf(record: RunRecord): PilotResult | null {
  const isAtRate = record.plan.loads.some(({ kind }) => kind === 'open');
  const [worst] = known(record, isAtRate ? CPU : THROUGHPUT).toSorted((a, b) => {
    return isAtRate ? b.value - a.value : a.value - b.value;
  });
  if (worst === undefined) return null;
  const { cell, value } = worst;
  const { server } = cell;
  if (isAtRate) return { kind: 'singleRequest', server, cpuNs: value };
  if (loadOf(record.plan, cell.load).saturates) return { kind: 'capacity', server, perS: value };
  const serviceNs = pointOf(figureOf(record, cell, MEAN_LATENCY));
  return serviceNs === null ? null : { kind: 'service', server, serviceNs };
}

/** Each cell's figure, where that is more than nothing. */
function known(record: RunRecord, figure: Figure) {
  return record.plan.cells.flatMap((cell) => {
    const value = pointOf(figureOf(record, cell, figure)) ?? 0;
    return value > 0 ? [{ cell, value }] : [];
  });
}
