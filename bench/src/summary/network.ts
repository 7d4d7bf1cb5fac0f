import { max, median, min } from 'simple-statistics';
import { figureOf, MEAN_LATENCY, slicesOf, THROUGHPUT } from '../figures/figures.ts';
import type { RoundTrip } from '../load/measurement.ts';
import { type Estimate, pointOf } from '../math/statistics.ts';
import { type Load, underWayOf } from '../plan/loads.ts';
import type { RunRecord } from '../record/record.ts';
import type { CellSummary, Condition } from './conditions.ts';

/** What the network between generator and server was, beside what was measured over it. */
export interface NetworkRow {
  summary: CellSummary;
  condition: Condition;
  /** Over all slices: the least, the median and the worst. */
  roundTrip: RoundTrip;
  /** So many requests/s would all that can be under way come to, if the server took no time. */
  ceilingPerS: number;
  throughput: Estimate;
  /** Of the mean latency; null where that is not known. */
  share: number | null;
}

/** Every cell that was measured over a network, in the order of the conditions. */
export function summarizeNetwork(
  record: RunRecord,
  conditions: readonly Condition[],
): NetworkRow[] {
  return conditions.flatMap((condition) => {
    return condition.cells.flatMap((summary): NetworkRow[] => {
      const { cell } = summary;
      const seen = slicesOf(record, cell).flatMap(({ measurement }) => measurement.roundTrip ?? []);
      if (seen.length === 0) return [];
      const roundTrip = {
        leastNs: min(seen.map(({ leastNs }) => leastNs)),
        medianNs: median(seen.map(({ medianNs }) => medianNs)),
        p95Ns: max(seen.map(({ p95Ns }) => p95Ns)),
      };
      const latencyNs = pointOf(figureOf(record, cell, MEAN_LATENCY));
      return [
        {
          ...{ summary, condition, roundTrip },
          ceilingPerS: mostUnderWay(condition.load) / (roundTrip.medianNs / 1e9),
          throughput: figureOf(record, cell, THROUGHPUT),
          share: latencyNs === null ? null : Math.min(1, roundTrip.medianNs / latencyNs),
        },
      ];
    });
  });
}

function mostUnderWay(load: Load): number {
  return load.kind === 'closed' ? underWayOf(load) : load.connections;
}
