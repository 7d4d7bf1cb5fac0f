import { mean, min, quantile, standardDeviation } from 'simple-statistics';
import type { Figures } from '../figures/figures.ts';
import type { Latency } from '../figures/latency.ts';
import type { CellSummary, Condition } from '../summary/conditions.ts';
import { latencyTime, megabytes, milliseconds, NONE, number } from './format.ts';
import { conditionName } from './names.ts';
import { section } from './section.ts';
import { type Column, type Look, renderTable } from './table.ts';

/** What autocannon's own tables show, for every cell, one table a condition. */
export function detailTables(conditions: Condition[], look: Look): string[] {
  return conditions.map((condition) => {
    const name = { head: 'target', cell: ({ target }: CellSummary) => target.label };
    const table = renderTable(name, COLUMNS, condition.cells, look);
    const note = 'Requests/s and MB/s are over the slices, latency over all requests in them.';
    return section(`Details: ${conditionName(condition)}`, table, note, look);
  });
}

const COLUMNS: Column<CellSummary>[] = [
  latency('2.5 %', ({ p2_5 }) => latencyTime(p2_5)),
  latency('50 %', ({ p50 }) => latencyTime(p50)),
  latency('97.5 %', ({ p97_5 }) => latencyTime(p97_5)),
  latency('99 %', ({ p99 }) => latencyTime(p99)),
  latency('avg', ({ mean: average }) => latencyTime(average)),
  latency('stdev', ({ deviation }) => (deviation === null ? NONE : milliseconds(deviation))),
  latency('max', ({ max }) => latencyTime(max)),
  ...spread('requests/s', ({ perSlice }) => perSlice.throughput, number),
  ...spread('MB/s', ({ perSlice }) => perSlice.bytesPerSecond, megabytes),
];

function latency(head: string, text: (latency: Latency) => string): Column<CellSummary> {
  return {
    group: 'latency',
    head: `ms\n${head}`,
    cell: ({ outcome }) => {
      if (outcome.state !== 'measured' || outcome.figures.latency === null) return NONE;
      return text(outcome.figures.latency);
    },
  };
}

function spread(
  unit: string,
  values: (figures: Figures) => number[],
  text: (value: number) => string,
): Column<CellSummary>[] {
  const statistics: [string, (values: number[]) => number][] = [
    ['2.5 %', (all) => quantile(all, 0.025)],
    ['50 %', (all) => quantile(all, 0.5)],
    ['97.5 %', (all) => quantile(all, 0.975)],
    ['avg', mean],
    ['stdev', standardDeviation],
    ['min', min],
  ];
  return statistics.map(([head, statistic]) => ({
    group: unit,
    head: `${head === statistics[0]?.[0] ? unit : ''}\n${head}`,
    cell: ({ outcome }) => {
      return outcome.state === 'measured' ? text(statistic(values(outcome.figures))) : NONE;
    },
  }));
}
