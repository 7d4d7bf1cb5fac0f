import { CPU, type Figure, figureOf, THROUGHPUT } from '../figures/figures.ts';
import { isStandard, topologyOf } from '../plan/plan.ts';
import type { RunRecord } from '../record/record.ts';
import type { Section } from './document.ts';
import { plusMinus } from './format.ts';
import { topologyName } from './names.ts';
import { unheaded } from './section.ts';
import { amount, type Column, tableOf } from './tabulate.ts';

/** The table of an unfinished run: requests/s and CPU per request of every cell. */
export function interimSection(record: RunRecord): Section {
  const { plan, targets } = record;
  const cells = plan.cells.filter(isStandard);
  const conditions = new Map(
    plan.cells.map((cell) => [`${cell.topology}/${cell.load}`, cell] as const),
  );
  const columns = [...conditions.values()].flatMap(({ topology, load }): Column<string>[] => {
    const group = `${topologyName(topologyOf(plan, topology))}, ${load}`;
    const column = (head: string, figure: Figure, scale = 1): Column<string> => {
      return amount(group, head, (target) => {
        const found = cells.find((cell) => {
          return cell.target === target && cell.topology === topology && cell.load === load;
        });
        return found && plusMinus(figureOf(record, found, figure), scale);
      });
    };
    return [column(`${group}\nrequests/s`, THROUGHPUT), column('CPU\nµs/req', CPU, 1000)];
  });
  const measured = targets.filter(({ name }) => plan.cells.some(({ target }) => target === name));
  const labels = new Map(measured.map(({ name, label }) => [name, label]));
  const nameOf = (target: string) => labels.get(target) ?? target;
  return unheaded(tableOf(['target', nameOf], columns, [...labels.keys()]));
}
