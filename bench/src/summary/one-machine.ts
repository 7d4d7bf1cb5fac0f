import { CPU, type Figure, MEAN_LATENCY, samples, THROUGHPUT } from '../figures/figures.ts';
import { changeBetween, estimate } from '../math/statistics.ts';
import type { Summary } from './summary.ts';

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
