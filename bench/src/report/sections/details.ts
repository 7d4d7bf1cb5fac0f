import { mean, min, quantile, standardDeviation, sum } from 'simple-statistics';
import type { Figures } from '../../figures/figures.ts';
import type { Answers } from '../../load/measurement.ts';
import type { CellSummary, Condition } from '../../summary/conditions.ts';
import { type Exchange, requestName } from '../../targets/exchange.ts';
import type { Target } from '../../targets/targets.ts';
import type { Block, Section } from '../document.ts';
import { count, megabytes, milliseconds, number, percent } from '../format.ts';
import { conditionName } from '../names.ts';
import { paragraph, section } from '../section.ts';
import { amount, type Column, tableOf, words } from '../tabulate.ts';
import { columnsOfCells, figuresIn } from './cell-columns.ts';

/** What autocannon's own tables show, for every cell of a condition. */
export function detailSection(condition: Condition): Section {
  return section(`Details: ${conditionName(condition)}`, [
    tableOf(['target', ({ target }) => target.label], COLUMNS, condition.cells),
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
  const rows = cells.flatMap((cell): RequestRow[] => {
    const { requests = [] } = figuresIn(cell) ?? {};
    const all = sum(requests.map(({ ok }) => ok));
    const { target } = cell;
    return target.requests.flatMap((exchange, place) => {
      const answers = requests[place];
      return answers === undefined ? [] : [{ target, exchange, answers, share: answers.ok / all }];
    });
  });
  if (rows.length === 0) return [];
  return [tableOf(['target', ({ target }) => target.label], REQUEST_COLUMNS, rows)];
}

const REQUEST_COLUMNS: Column<RequestRow>[] = [
  words('', 'request', ({ exchange }) => requestName(exchange)),
  amount('', 'weight', ({ exchange }) => count(exchange.weight)),
  amount('', 'as\ndeclared', ({ answers }) => count(answers.ok)),
  amount('', 'share', ({ share }) => (Number.isFinite(share) ? percent(share) : null)),
  amount('', 'wrong\nstatus', ({ answers }) => count(answers.wrongStatus)),
  amount('', 'wrong\nbody', ({ answers }) => count(answers.wrongBody)),
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
  latency('ms\n2.5 %', 'p2_5'),
  latency('ms\n50 %', 'p50'),
  latency('ms\n97.5 %', 'p97_5'),
  latency('ms\n99 %', 'p99'),
  latency('ms\navg', 'mean'),
  figure('latency', 'ms\nstdev', ({ latency: times }) => {
    return times && times.deviation !== null ? milliseconds(times.deviation) : null;
  }),
  latency('ms\nmax', 'max'),
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
