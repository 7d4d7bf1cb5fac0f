import { mean, min, quantile, standardDeviation, sum } from 'simple-statistics';
import type { Figures } from '../../figures/figures.ts';
import type { CellSummary, Condition } from '../../summary/summary.ts';
import { requestName } from '../../targets/exchange.ts';
import { amount, type Block, type Column, type Section, tableOf, words } from '../document.ts';
import { count, megabytes, milliseconds, number, percent } from '../format.ts';
import { conditionName } from '../names.ts';
import { section } from '../section.ts';
import { figure, latency, TARGET } from './columns.ts';

/** The statistics that autocannon prints, for every cell of a condition. */
export function detailSection(condition: Condition): Section {
  return section(`Details: ${conditionName(condition)}`, [
    tableOf(TARGET, DETAILS, condition.cells),
    'Requests/s and MB/s are over slices, latency over all requests in them.',
    ...requestBlocks(condition),
  ]);
}

function requestBlocks({ cells }: Condition): Block[] {
  const rows = cells.flatMap(({ target, figures }) => {
    const { requests = [] } = figures ?? {};
    const all = sum(requests.map(({ ok }) => ok));
    return target.requests.flatMap((exchange, place) => {
      const answers = requests[place];
      return answers === undefined ? [] : [{ target, exchange, answers, share: answers.ok / all }];
    });
  });
  if (rows.length === 0) return [];
  const columns: Column<(typeof rows)[number]>[] = [
    words('', 'request', ({ exchange }) => requestName(exchange)),
    amount('', 'weight', ({ exchange }) => count(exchange.weight)),
    amount('', 'as\ndeclared', ({ answers }) => count(answers.ok)),
    amount('', 'share', ({ share }) => (Number.isFinite(share) ? percent(share) : null)),
    amount('', 'wrong\nstatus', ({ answers }) => count(answers.wrongStatus)),
    amount('', 'wrong\nbody', ({ answers }) => count(answers.wrongBody)),
  ];
  return [tableOf(TARGET, columns, rows)];
}

const STATISTICS: [string, (values: number[]) => number][] = [
  ['2.5 %', (all) => quantile(all, 0.025)],
  ['50 %', (all) => quantile(all, 0.5)],
  ['97.5 %', (all) => quantile(all, 0.975)],
  ['avg', mean],
  ['stdev', standardDeviation],
  ['min', min],
];

const DETAILS: Column<CellSummary>[] = [
  latency('p2_5', 'ms\n2.5 %'),
  latency('p50', 'ms\n50 %'),
  latency('p97_5', 'ms\n97.5 %'),
  latency('p99', 'ms\n99 %'),
  latency('mean', 'ms\navg'),
  figure('latency', 'ms\nstdev', ({ latency: times }) => {
    return times && times.deviation !== null ? milliseconds(times.deviation) : null;
  }),
  latency('max', 'ms\nmax'),
  ...spread('requests/s', ({ perSlice }) => perSlice.throughput, number),
  ...spread('MB/s', ({ perSlice }) => perSlice.bytesPerSecond, megabytes),
];

/** Statistics over slices; only the first head has the unit. */
function spread(unit: string, values: (of: Figures) => number[], text: (value: number) => string) {
  return STATISTICS.map(([name, statistic], index) => {
    const head = `${index === 0 ? unit : ''}\n${name}`;
    return figure(unit, head, (figures) => text(statistic(values(figures))));
  });
}
