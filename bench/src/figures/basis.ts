import { pointOf } from '../math/statistics.ts';
import type { PilotResult } from '../plan/loads.ts';
import { loadOf } from '../plan/plan.ts';
import type { RunRecord } from '../record/record.ts';
import { CPU, figureOf, MEAN_LATENCY, THROUGHPUT } from './figures.ts';

/** The result of a pilot, by the server with the costliest requests or the fewest per second; null if none answered. */
export function basisOf(record: RunRecord): PilotResult | null {
  const { plan } = record;
  const isAtRate = plan.loads.some(({ kind }) => kind === 'open');
  const known = plan.cells.flatMap((cell) => {
    const value = pointOf(figureOf(record, cell, isAtRate ? CPU : THROUGHPUT)) ?? 0;
    return value > 0 ? [{ cell, value }] : [];
  });
  const [worst] = known.toSorted((a, b) => (isAtRate ? b.value - a.value : a.value - b.value));
  if (worst === undefined) return null;
  const { cell, value } = worst;
  const { server } = cell;
  if (isAtRate) return { kind: 'singleRequest', server, cpuNs: value };
  if (loadOf(plan, cell.load).saturates) return { kind: 'capacity', server, perS: value };
  const serviceNs = pointOf(figureOf(record, cell, MEAN_LATENCY));
  return serviceNs === null ? null : { kind: 'service', server, serviceNs };
}
