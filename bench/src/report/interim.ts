import { CPU, type Figure, figureOf, THROUGHPUT } from '../figures/figures.ts';
import { isStandard, topologyOf } from '../plan/plan.ts';
import type { RunRecord } from '../record/record.ts';
import type { Target } from '../targets/targets.ts';
import { amount, type Column, type Section, tableOf } from './document.ts';
import { plusMinus } from './format.ts';
import { topologyName } from './names.ts';
import { unheaded } from './section.ts';

/** The table of an unfinished run: requests/s and CPU per request of every cell. */
export function interimSection(record: RunRecord): Section {
  const { plan, targets } = record;
  const conditions = Map.groupBy(plan.cells, ({ topology, load }) => {
    return `${topologyName(topologyOf(plan, topology))}, ${load}`;
  });
  const columns = [...conditions].flatMap(([condition, cells]) => {
    const column = (head: string, figure: Figure, scale = 1): Column<Target> => {
      return amount(condition, head, ({ name }) => {
        const cell = cells.find((each) => each.target === name && isStandard(each));
        return cell && plusMinus(figureOf(record, cell, figure), scale);
      });
    };
    return [column(`${condition}\nrequests/s`, THROUGHPUT), column('CPU\nµs/req', CPU, 1000)];
  });
  const measured = targets.filter(({ name }) => plan.cells.some(({ target }) => target === name));
  return unheaded(tableOf(['target', ({ label }) => label], columns, measured));
}
