import { headlineIn, headlineOf } from '../../figures/figures.ts';
import type { Estimate } from '../../math/statistics.ts';
import type { Load } from '../../plan/loads.ts';
import type { Condition } from '../../summary/conditions.ts';
import type { Section } from '../document.ts';
import { intervalColumn } from '../drawings.ts';
import { plusMinus } from '../format.ts';
import { loadName, rowName } from '../names.ts';
import { paragraph, section } from '../section.ts';
import { figuresIn } from '../sections/cell-columns.ts';
import { amount, tableOf } from '../tabulate.ts';

interface Row {
  name: string;
  estimate: Estimate;
}

/** For each load the figure that it is there for, of every target in every topology; those measured. */
export function headlineSections(conditions: readonly Condition[]): Section[] {
  return [...Map.groupBy(conditions, ({ load }) => load)].flatMap(([load, own]) => {
    const rows = own.flatMap(({ topology, cells }) => {
      return cells.flatMap((cell): Row[] => {
        const figures = figuresIn(cell);
        if (figures === null) return [];
        return [{ name: rowName(cell.target, topology), estimate: headlineIn(figures, load) }];
      });
    });
    return rows.length === 0 ? [] : [headlineSection(load, rows)];
  });
}

function headlineSection(load: Load, rows: readonly Row[]): Section {
  const { better } = headlineOf(load);
  const isCpu = load.headline === 'cpu';
  const columns = [
    amount<Row>('', isCpu ? 'CPU µs/request' : 'requests/s', ({ estimate }) => {
      return plusMinus(estimate, isCpu ? 1000 : 1);
    }),
    intervalColumn<Row>('', 'at least, most', {
      ...{ rows, scale: 'linear', base: 0 },
      of: ({ estimate }) => estimate,
    }),
  ];
  const text = `The ${better === 'less' ? 'lower' : 'higher'} the better. With 95 % intervals over launches.`;
  const table = tableOf(['target', ({ name }) => name], columns, rows);
  return section(`At a glance, ${loadName(load)}`, [table, paragraph(text)]);
}
