import { max, median, min } from 'simple-statistics';
import { CPU, type Figure, MEAN_LATENCY, sidesOf, THROUGHPUT } from '../figures/figures.ts';
import { changeBetween, estimate, pointOf } from '../math/statistics.ts';
import { underWayOf } from '../plan/loads.ts';
import { estimateOf, type Summary } from './summary.ts';

export type NetworkRow = ReturnType<typeof summarizeNetwork>[number];

/** Every cell that was measured over a network, in the order of the conditions. */
export function summarizeNetwork({ conditions }: Summary) {
  const cells = conditions.flatMap((condition) => condition.cells);
  return cells.flatMap((summary) => {
    const { load, slices } = summary;
    const seen = slices.flatMap(({ measurement }) => measurement.roundTrip ?? []);
    if (seen.length === 0) return [];
    const medianNs = median(seen.map((each) => each.medianNs));
    const leastNs = min(seen.map((each) => each.leastNs));
    const p95Ns = max(seen.map((each) => each.p95Ns));
    /** Over all slices: the least, the median and the worst. */
    const roundTrip = { leastNs, medianNs, p95Ns };
    const mostUnderWay = load.kind === 'closed' ? underWayOf(load) : load.connections;
    /** The requests/s of all that can be under way, if the server took no time. */
    const ceilingPerS = mostUnderWay / (medianNs / 1e9);
    const latencyNs = pointOf(estimateOf(summary, MEAN_LATENCY));
    /** Of a round trip in the mean latency; null if that is unknown. */
    const share = latencyNs === null ? null : Math.min(1, medianNs / latencyNs);
    return [{ ...summary, roundTrip, ceilingPerS, share }];
  });
}

/** The cost of sharing the machine with the generator, for one server. */
export type SharingRow = ReturnType<typeof compareMachines>[number];
/** A figure of a server, with the generator on a machine of its own and on the server's. */
export type Sides = SharingRow['cpu'];

/** Every server that was measured in both runs, in the order of the first one's conditions. */
export function compareMachines(two: Summary, one: Summary) {
  const others = one.conditions.flatMap(({ cells }) => cells);
  const cells = two.conditions.flatMap((condition) => condition.cells);
  return cells.flatMap((summary) => {
    const other = others.find(({ cell }) => cell.id === summary.cell.id);
    if (other === undefined) return [];
    const bothIn = (figure: Figure) => {
      const sides = sidesOf(other.slices, summary.slices, figure);
      /** How much more it is on one machine, as a share; the two runs share no launch. */
      const change = changeBetween(sides);
      return { two: estimate(sides.other), one: estimate(sides.own), change };
    };
    const [cpu, throughput] = [bothIn(CPU), bothIn(THROUGHPUT)];
    return [{ ...summary, cpu, throughput, latency: bothIn(MEAN_LATENCY) }];
  });
}
