import {
  CPU,
  type Figure,
  figureOf,
  MEAN_LATENCY,
  samples,
  slicesOf,
  THROUGHPUT,
} from '../figures/figures.ts';
import { changeBetween, type Estimate } from '../math/statistics.ts';
import { isStandard } from '../plan/plan.ts';
import type { CellSummary, Condition } from './conditions.ts';
import type { Summary } from './summary.ts';

/** A figure of a server, with the generator on a machine of its own and on the server's. */
export interface Sides {
  two: Estimate;
  one: Estimate;
  /** How much more it is on one machine, as a share; their launches have nothing in common. */
  change: Estimate;
}

/** What it costs a server to share its machine with the generator. */
export interface SharingRow {
  summary: CellSummary;
  condition: Condition;
  cpu: Sides;
  throughput: Sides;
  latency: Sides;
}

/** Every server that was measured in both runs, in the order of the first one's conditions. */
export function compareMachines(two: Summary, one: Summary): SharingRow[] {
  return two.conditions.flatMap((condition) => {
    return condition.cells.flatMap((summary): SharingRow[] => {
      const { cell } = summary;
      const other = one.record.plan.cells.find(({ id }) => id === cell.id);
      if (other === undefined || !isStandard(cell)) return [];
      const sidesOf = (figure: Figure): Sides => {
        const [onTwo, onOne] = [slicesOf(two.record, cell), slicesOf(one.record, other)];
        return {
          two: figureOf(two.record, cell, figure),
          one: figureOf(one.record, other, figure),
          change: changeBetween(samples(onOne, figure), samples(onTwo, figure)),
        };
      };
      const [cpu, throughput, latency] = [CPU, THROUGHPUT, MEAN_LATENCY].map(sidesOf);
      return cpu && throughput && latency ? [{ summary, condition, cpu, throughput, latency }] : [];
    });
  });
}
