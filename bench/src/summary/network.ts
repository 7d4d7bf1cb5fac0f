import { max, median, min } from 'simple-statistics';
import { CPU, type Figure, MEAN_LATENCY, samples, THROUGHPUT } from '../figures/figures.ts';
import { changeBetween, estimate, pointOf } from '../math/statistics.ts';
import { underWayOf } from '../plan/loads.ts';
import { type Condition, estimateOf, type Summary } from './summary.ts';

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
      /** Over all slices: the least, the median and the worst. */
      const roundTrip = { leastNs, medianNs, p95Ns };
      /** The requests/s of all that can be under way, if the server took no time. */
      const ceilingPerS = mostUnderWay / (medianNs / 1e9);
      const latencyNs = pointOf(estimateOf(summary, MEAN_LATENCY));
      /** Of a round trip in the mean latency; null if that is unknown. */
      const share = latencyNs === null ? null : Math.min(1, medianNs / latencyNs);
      const throughput = estimateOf(summary, THROUGHPUT);
      return [{ summary, condition, roundTrip, ceilingPerS, throughput, share }];
    });
  });
}

/** The cost of sharing the machine with the generator, for one server. */
export type SharingRow = ReturnType<typeof compareMachines>[number];
/** A figure of a server, with the generator on a machine of its own and on the server's. */
export type Sides = SharingRow['cpu'];

/** Every server that was measured in both runs, in the order of the first one's conditions. */
export function compareMachines(two: Summary, one: Summary) {
  const others = one.conditions.flatMap(({ cells }) => cells);
  return two.conditions.flatMap((condition) => {
    return condition.cells.flatMap((summary) => {
      const other = others.find(({ cell }) => cell.id === summary.cell.id);
      if (other === undefined) return [];
      const sidesOf = (figure: Figure) => {
        const [onTwo, onOne] = [samples(summary.slices, figure), samples(other.slices, figure)];
        /** How much more it is on one machine, as a share; the two runs share no launch. */
        const change = changeBetween({ own: onOne, other: onTwo });
        return { two: estimate(onTwo), one: estimate(onOne), change };
      };
      const [cpu, throughput] = [sidesOf(CPU), sidesOf(THROUGHPUT)];
      return [{ summary, condition, cpu, throughput, latency: sidesOf(MEAN_LATENCY) }];
    });
  });
}
