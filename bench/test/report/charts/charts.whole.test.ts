import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../../../src/record/record.ts';
import type { Bars, Chart, Document, Intervals, Plot } from '../../../src/report/document.ts';
import { summariesOf, summaryOf } from '../../support/summaries.ts';
import { cluster, curve, cutShort, frameworks, rate } from '../golden-records.ts';
import { pageOf } from '../html/pages.ts';

/** The charts under a heading of a page. */
function chartsIn({ sections }: Document, heading: string): Chart[] {
  const found = sections.find(({ blocks: [first] }) => {
    return first?.kind === 'heading' && first.text === heading;
  });
  return (found?.blocks ?? []).flatMap((block) => {
    return block.kind === 'figure' && block.chart.kind !== 'strips' ? [block.chart] : [];
  });
}

const isIntervals = (chart: Chart): chart is Intervals => chart.kind === 'intervals';
const isPlot = (chart: Chart): chart is Plot => chart.kind === 'plot';
const isBars = (chart: Chart): chart is Bars => chart.kind === 'bars';
const of = (record: RunRecord, heading: string) => chartsIn(pageOf(record), heading);

describe('the charts of a run', () => {
  test('tell what each target adds as the table of overheads does', () => {
    const record = frameworks();
    const [steps] = of(record, 'What it costs').filter(isIntervals);
    const { overheads } = summariesOf(record);
    expect(steps?.rows.map(({ estimate }) => estimate)).toEqual(
      overheads?.rows.map(({ comparison }) => comparison.difference),
    );
    expect(steps?.rows.map(({ name }) => name)).toContain('Nest + Express over Express');
  });

  test('have the headline of every load, of every target in every topology', () => {
    const record = frameworks();
    const [, ...headlines] = of(record, 'What it costs').filter(isIntervals);
    const { conditions } = summaryOf(record);
    const perLoad = record.plan.loads.map(({ id }) => {
      return conditions.filter(({ load }) => load.id === id).flatMap(({ cells }) => cells).length;
    });
    expect(headlines.map(({ rows }) => rows.length)).toEqual(perLoad);
  });

  test('have every two targets with a valid figure, and the band of what is the same', () => {
    const record = frameworks();
    const charts = of(record, 'Every two, side by side').filter(isIntervals);
    for (const [index, { rows, band }] of charts.entries()) {
      const cells = summaryOf(record).conditions[index]?.cells ?? [];
      const valid = cells.filter(({ rank }) => rank !== null).length;
      expect(rows).toHaveLength((valid * (valid - 1)) / 2);
      expect(band?.high).toBe(1 + record.plan.equivalence);
    }
    expect(charts).toHaveLength(summaryOf(record).conditions.length);
  });

  test('have every slice once, at its time', () => {
    const whole = frameworks();
    const startedNs = (index: number) => (index + 1) * 1e9;
    const own = whole.slices.map((slice, index) => ({ ...slice, startedNs: startedNs(index) }));
    const record = { ...whole, slices: own };
    const charts = of(record, 'Every slice, in the order in which it ran').filter(isPlot);
    const drawn = charts.flatMap(({ panels }) => {
      return panels.flatMap(({ series }) => series.flatMap(({ points }) => points));
    });
    const cells = new Set(record.plan.cells.map(({ id }) => id));
    const slices = record.slices.filter(({ cell }) => cells.has(cell));
    const numbers = (a: number, b: number) => a - b;
    expect(drawn.map(({ x }) => x).toSorted(numbers)).toEqual(
      slices.map(({ startedNs }) => startedNs).toSorted(numbers),
    );
    for (const { panels } of charts) {
      for (const { series } of panels) {
        for (const { points } of series) {
          const times = points.map(({ x }) => x);
          expect(times).toEqual(times.toSorted(numbers));
        }
      }
    }
  });

  test('say whose CPU time it was, and no more than there is', () => {
    const [single, clusters] = of(frameworks(), 'Who used the CPU').filter(isBars);
    const names = (chart: Bars | undefined) => chart?.rows[0]?.parts.map(({ name }) => name);
    expect(names(single)).toEqual(['server', 'generator', 'harness']);
    expect(names(clusters)).toEqual(['server', 'manager', 'generator', 'harness']);
    const [slice] = frameworks().slices;
    expect(slice?.measurement.windowNs).toBeGreaterThan(0);
  });

  test('of an overload hatch what could not be told apart', () => {
    const charts = of(cluster(), 'Latency and its tail').filter(isPlot);
    const censored = charts.flatMap(({ panels }) =>
      panels.flatMap((panel) => panel.unknownAbove ?? []),
    );
    expect(censored.length).toBeGreaterThan(0);
    for (const { panels } of charts) {
      for (const { series, unknownAbove } of panels) {
        const most = unknownAbove?.value ?? Number.POSITIVE_INFINITY;
        const drawn = series.flatMap(({ points }) => points.map(({ y }) => y));
        expect(drawn.filter((ns) => ns > most)).toEqual([]);
      }
    }
  });

  test('of a cluster have what was predicted beside what was measured', () => {
    const [chart] = of(cluster(), 'What it costs').filter(isIntervals);
    const { scaling } = summariesOf(cluster());
    const predicted = scaling?.targets.flatMap(({ steps }) => {
      return steps.map((step) => step.predicted?.throughput);
    });
    expect(chart?.other).toBe('predicted');
    expect(chart?.rows.map(({ other }) => other?.value).toSorted()).toEqual(predicted?.toSorted());
  });

  test('of several rates have latency, answers and CPU time by rate, with the knee', () => {
    const plots = of(curve(), 'What it costs').filter(isPlot);
    const { rates } = summariesOf(curve());
    expect(plots.map(({ title }) => title.split(',')[0])).toEqual([
      'p99 latency by rate',
      'Answered by rate',
      'CPU by rate',
    ]);
    for (const { panels } of plots) {
      const marks = panels.flatMap(({ series }) => series.map(({ mark }) => mark?.x ?? null));
      expect(marks).toEqual(rates?.curves.map(({ knee }) => knee?.load.ratePerS ?? null));
    }
  });

  test('of a rate have memory and CPU time second by second', () => {
    const plots = of(rate(), 'Second by second').filter(isPlot);
    const seconds = rate().slices.flatMap(({ measurement }) => measurement.series);
    expect(seconds.length).toBeGreaterThan(0);
    const points = plots.flatMap(({ panels }) => {
      return panels.flatMap(({ series }) => series.flatMap((each) => each.points));
    });
    // Of memory and of CPU time.
    expect(points).toHaveLength(2 * seconds.length);
    expect(plots).toHaveLength(2 * summaryOf(rate()).conditions.length);
  });

  test('of a run that was cut short are of what it measured', () => {
    const { sections } = pageOf(cutShort());
    const charts = sections.flatMap(({ blocks }) => blocks.filter(({ kind }) => kind === 'figure'));
    expect(charts.length).toBeGreaterThan(0);
  });
});
