import { mean, min, quantile, standardDeviation } from 'simple-statistics';
import type { Figures } from '../../figures/figures.ts';
import type { CellSummary, Condition } from '../../summary/conditions.ts';
import type { Section } from '../document.ts';
import { latencyTime, megabytes, milliseconds, NONE, number } from '../format.ts';
import { conditionName } from '../names.ts';
import { paragraph, section } from '../section.ts';
import { type Column, tableOf } from '../tabulate.ts';
import { columnsOfCells } from './cell-columns.ts';

/** What autocannon's own tables show, for every cell of a condition. */
export function detailSection(condition: Condition): Section {
  const name = { head: 'target', cell: ({ target }: CellSummary) => target.label };
  return section(`Details: ${conditionName(condition)}`, [
    tableOf(name, COLUMNS, condition.cells),
    paragraph('Requests/s and MB/s are over the slices, latency over all requests in them.'),
  ]);
}

const { figure, latency } = columnsOfCells<CellSummary>((cell) => cell);

const STATISTICS: [string, (values: number[]) => number][] = [
  ['2.5 %', (all) => quantile(all, 0.025)],
  ['50 %', (all) => quantile(all, 0.5)],
  ['97.5 %', (all) => quantile(all, 0.975)],
  ['avg', mean],
  ['stdev', standardDeviation],
  ['min', min],
];

const COLUMNS: Column<CellSummary>[] = [
  latency('ms\n2.5 %', ({ p2_5 }) => latencyTime(p2_5)),
  latency('ms\n50 %', ({ p50 }) => latencyTime(p50)),
  latency('ms\n97.5 %', ({ p97_5 }) => latencyTime(p97_5)),
  latency('ms\n99 %', ({ p99 }) => latencyTime(p99)),
  latency('ms\navg', ({ mean: average }) => latencyTime(average)),
  latency('ms\nstdev', ({ deviation }) => (deviation === null ? NONE : milliseconds(deviation))),
  latency('ms\nmax', ({ max }) => latencyTime(max)),
  ...spread('requests/s', ({ perSlice }) => perSlice.throughput, number),
  ...spread('MB/s', ({ perSlice }) => perSlice.bytesPerSecond, megabytes),
];

/** The unit stands in the first head of its group. */
function spread(
  unit: string,
  values: (figures: Figures) => number[],
  text: (value: number) => string,
): Column<CellSummary>[] {
  return STATISTICS.map(([name, statistic], index) => {
    const head = `${index === 0 ? unit : ''}\n${name}`;
    return figure(unit, head, (figures) => text(statistic(values(figures))));
  });
}
