import { mean, min, quantile, standardDeviation, sum } from 'simple-statistics';
import type { Figures } from '../../figures/figures.ts';
import type { Answers } from '../../load/measurement.ts';
import type { CellSummary, Condition } from '../../summary/conditions.ts';
import { type Exchange, requestName } from '../../targets/exchange.ts';
import type { Target } from '../../targets/targets.ts';
import type { Block, Section } from '../document.ts';
import { count, latencyTime, megabytes, milliseconds, NONE, number, percent } from '../format.ts';
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
    ...requestBlocks(condition.cells),
  ]);
}

/** A request of a target that has several. */
interface RequestRow {
  target: Target;
  exchange: Exchange;
  answers: Answers;
  /** Of its target's answers as declared. */
  share: number;
}

/** What became of each request, where a target has several. */
function requestBlocks(cells: readonly CellSummary[]): Block[] {
  const rows = cells.flatMap(({ target, outcome }): RequestRow[] => {
    const { requests = [] } = outcome.state === 'measured' ? outcome.figures : {};
    const all = sum(requests.map(({ ok }) => ok));
    return target.requests.flatMap((exchange, place) => {
      const answers = requests[place];
      return answers === undefined ? [] : [{ target, exchange, answers, share: answers.ok / all }];
    });
  });
  const name = { head: 'target', cell: ({ target }: RequestRow) => target.label };
  return rows.length === 0 ? [] : [tableOf(name, REQUEST_COLUMNS, rows)];
}

const REQUEST_COLUMNS: Column<RequestRow>[] = [
  { group: '', head: 'request', text: true, cell: ({ exchange }) => requestName(exchange) },
  { group: '', head: 'weight', cell: ({ exchange }) => count(exchange.weight) },
  { group: '', head: 'as\ndeclared', cell: ({ answers }) => count(answers.ok) },
  {
    group: '',
    head: 'share',
    cell: ({ share }) => (Number.isFinite(share) ? percent(share) : NONE),
  },
  { group: '', head: 'wrong\nstatus', cell: ({ answers }) => count(answers.wrongStatus) },
  { group: '', head: 'wrong\nbody', cell: ({ answers }) => count(answers.wrongBody) },
];

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
