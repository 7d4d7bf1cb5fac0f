import { expect, test } from 'vitest';
import type { RunRecord } from '../../../src/record/record.ts';
import type { Plot, Section, Series } from '../../../src/report/document.ts';
import { summariesOf, summaryOf } from '../../support/summaries.ts';
import { cluster, curve, frameworks, rate } from '../golden-records.ts';
import { pageOf } from '../html/pages.ts';
import { rowsOf } from '../look.ts';

function sectionsOf(record: RunRecord, heading: string): Section[] {
  return pageOf(record).sections.filter(({ blocks: [first] }) => {
    return first?.kind === 'heading' && first.text.startsWith(heading);
  });
}

function plotsOf(record: RunRecord, heading: string): Plot[] {
  return sectionsOf(record, heading).flatMap(({ blocks }) => {
    return blocks.flatMap((block) => (block.kind === 'figure' ? [block.chart] : []));
  });
}

function seriesOf(plots: readonly Plot[]): Series[] {
  return plots.flatMap(({ panels }) => panels.flatMap(({ series }) => series));
}

const { plan, slices } = frameworks();
const { conditions } = summaryOf(frameworks());
const perLoad = [...Map.groupBy(conditions, ({ load }) => load).values()].map((own) => {
  return own.flatMap(({ cells }) => cells).length;
});
const perCondition = conditions.map(({ cells }) => {
  const valid = cells.filter(({ rank }) => rank !== null).length;
  return (valid * (valid - 1)) / 2;
});
test.each<[what: string, heading: string, lengths: number[]]>([
  ['the headline of every load, of every target in every topology', 'At a glance', perLoad],
  ['every two targets with a valid figure', 'All pairs', perCondition],
])('charts have %s', (_, heading, lengths) => {
  const sections = sectionsOf(frameworks(), heading);
  expect(sections.map((section) => rowsOf(section).length)).toEqual(lengths);
});

test('charts have every slice once, at its time', () => {
  const own = slices.map((slice, index) => ({ ...slice, startedNs: (index + 1) * 1e9 }));
  const charts = plotsOf({ ...frameworks(), slices: own }, 'Every slice over time');
  const cells = new Set(plan.cells.map(({ id }) => id));
  const starts = own.filter(({ cell }) => cells.has(cell)).map(({ startedNs }) => startedNs);
  const sorted = (numbers: number[]) => numbers.toSorted((a, b) => a - b);
  const times = seriesOf(charts).map(({ points }) => points.map(({ x }) => x));
  expect(sorted(times.flat())).toEqual(sorted(starts));
  expect(times).toEqual(times.map(sorted));
});

test('charts say whose CPU time it was', () => {
  const heads = sectionsOf(frameworks(), 'Who used the CPU').map(({ blocks }) => {
    return blocks.find((block) => block.kind === 'table')?.columns.map(({ head }) => head);
  });
  expect(heads[0]).toEqual(['cores', 'server', 'generator', 'harness', 'together', '']);
  expect(heads[1]).toContain('manager');
});

test('charts of an overload hatch what could not be told apart', () => {
  const panels = plotsOf(cluster(), 'Latency and its tail').flatMap((plot) => plot.panels);
  expect(panels.some(({ unknownAbove }) => unknownAbove !== null)).toBe(true);
  for (const { series, unknownAbove } of panels) {
    const most = unknownAbove?.value ?? Number.POSITIVE_INFINITY;
    const drawn = series.flatMap(({ points }) => points.map(({ y }) => y));
    expect(drawn.filter((ns) => ns > most)).toEqual([]);
  }
});

test('charts of several rates have latency, answers and CPU time by rate, with the knee', () => {
  const plots = plotsOf(curve(), 'By rate');
  const knees = summariesOf(curve()).rates?.curves.map(({ knee }) => knee?.load.ratePerS ?? null);
  const titles = ['p99 latency by rate', 'Answered by rate', 'CPU by rate'];
  expect(plots.map(({ title }) => title.split(',')[0])).toEqual(titles);
  for (const plot of plots) {
    expect(seriesOf([plot]).map(({ mark }) => mark?.x ?? null)).toEqual(knees);
  }
});

test('charts of a rate have memory and CPU time second by second', () => {
  const plots = plotsOf(rate(), 'Second by second');
  const seconds = rate().slices.flatMap(({ measurement }) => measurement.series);
  expect(seconds.length).toBeGreaterThan(0);
  // Of memory and of CPU time.
  expect(seriesOf(plots).flatMap(({ points }) => points)).toHaveLength(2 * seconds.length);
  expect(plots).toHaveLength(2 * summaryOf(rate()).conditions.length);
});
