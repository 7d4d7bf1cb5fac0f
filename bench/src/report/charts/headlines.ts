import { headlineIn, headlineOf } from '../../figures/figures.ts';
import type { Load } from '../../plan/loads.ts';
import type { Condition } from '../../summary/conditions.ts';
import type { Section } from '../document.ts';
import { plusMinus } from '../format.ts';
import { loadName, rowName } from '../names.ts';
import { paragraph, section } from '../section.ts';
import { figuresIn, intervals } from '../sections/columns.ts';
import { amount, tableOf } from '../tabulate.ts';

/** The headline figure of each load, for every measured target and topology. */
export function headlineSections(conditions: readonly Condition[]): Section[] {
  const byLoad = Map.groupBy(conditions, ({ load }) => load);
  return [...byLoad].flatMap(([load, own]) => headlineSection(load, own));
}

function headlineSection(load: Load, conditions: readonly Condition[]): Section[] {
  const rows = conditions.flatMap(({ topology, cells }) => {
    return cells.flatMap((cell) => {
      const figures = figuresIn(cell);
      if (figures === null) return [];
      return [{ name: rowName(cell.target, topology), estimate: headlineIn(figures, load) }];
    });
  });
  if (rows.length === 0) return [];
  type Row = (typeof rows)[number];
  const [head, unit] = load.headline === 'cpu' ? ['CPU µs/request', 1000] : ['requests/s', 1];
  const columns = [
    amount<Row>('', head, ({ estimate }) => plusMinus(estimate, unit)),
    intervals<Row>('values', '', rows, ({ estimate }) => estimate),
  ];
  const better = headlineOf(load).better === 'less' ? 'Lower' : 'Higher';
  return [
    section(`At a glance, ${loadName(load)}`, [
      tableOf(['target', ({ name }) => name], columns, rows),
      paragraph(`${better} is better. The 95 % intervals are over launches.`),
    ]),
  ];
}
