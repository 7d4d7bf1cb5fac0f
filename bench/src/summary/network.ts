import { max, median, min } from 'simple-statistics';
import { MEAN_LATENCY, THROUGHPUT } from '../figures/figures.ts';
import { pointOf } from '../math/statistics.ts';
import { underWayOf } from '../plan/loads.ts';
import { type Condition, estimateOf } from './conditions.ts';

/** The network between generator and server, and what was measured over it. */
export type NetworkRow = ReturnType<typeof summarizeNetwork>[number];

/** Every cell that was measured over a network, in the order of the conditions. */
export function summarizeNetwork(conditions: readonly Condition[]) {
  return conditions.flatMap((condition) => {
    const { load } = condition;
    const mostUnderWay = load.kind === 'closed' ? underWayOf(load) : load.connections;
    return condition.cells.flatMap((summary) => {
      const seen = summary.slices.flatMap(({ measurement }) => measurement.roundTrip ?? []);
      if (seen.length === 0) return [];
      const medianNs = median(seen.map((each) => each.medianNs));
      const leastNs = min(seen.map((each) => each.leastNs));
      const p95Ns = max(seen.map((each) => each.p95Ns));
      const latencyNs = pointOf(estimateOf(summary, MEAN_LATENCY));
      return [
        {
          summary,
          condition,
          /** Over all slices: the least, the median and the worst. */
          roundTrip: { leastNs, medianNs, p95Ns },
          /** The requests/s of all that can be under way, if the server took no time. */
          ceilingPerS: mostUnderWay / (medianNs / 1e9),
          throughput: estimateOf(summary, THROUGHPUT),
          /** Of a round trip in the mean latency; null if that is unknown. */
          share: latencyNs === null ? null : Math.min(1, medianNs / latencyNs),
        },
      ];
    });
  });
}
