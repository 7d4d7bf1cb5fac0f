import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../../../src/record/record.ts';
import type { Plot, Point, Section } from '../../../src/report/document.ts';
import { summariesOf, summaryOf } from '../../support/summaries.ts';
import { cluster, curve, cutShort, frameworks, rate } from '../golden-records.ts';
import { pageOf } from '../html/pages.ts';
import { rowsOf } from '../rows-of.ts';

/** The sections of a page whose headings begin so. */
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

/** The points of all series. */
function pointsOf(plots: readonly Plot[]): Point[] {
  return plots.flatMap(({ panels }) => {
    return panels.flatMap(({ series }) => series.flatMap(({ points }) => points));
  });
}

describe('the charts of a run', () => {
  test('have the headline of every load, of every target in every topology', () => {
    const record = frameworks();
    const { conditions } = summaryOf(record);
    const perLoad = record.plan.loads.map(({ id }) => {
      return conditions.filter(({ load }) => load.id === id).flatMap(({ cells }) => cells).length;
    });
    const sections = sectionsOf(record, 'At a glance');
    expect(sections.map((section) => rowsOf(section).length)).toEqual(perLoad);
  });

  test('have every two targets with a valid figure', () => {
    const pairs = summaryOf(frameworks()).conditions.map(({ cells }) => {
      const valid = cells.filter(({ rank }) => rank !== null).length;
      return (valid * (valid - 1)) / 2;
    });
    const sections = sectionsOf(frameworks(), 'All pairs');
    expect(sections.map((section) => rowsOf(section).length)).toEqual(pairs);
  });

  test('have every slice once, at its time', () => {
    const whole = frameworks();
    const own = whole.slices.map((slice, index) => ({ ...slice, startedNs: (index + 1) * 1e9 }));
    const record = { ...whole, slices: own };
    const charts = plotsOf(record, 'Every slice over time');
    const cells = new Set(record.plan.cells.map(({ id }) => id));
    const slices = record.slices.filter(({ cell }) => cells.has(cell));
    const sorted = (numbers: number[]) => numbers.toSorted((a, b) => a - b);
    expect(sorted(pointsOf(charts).map(({ x }) => x))).toEqual(
      sorted(slices.map(({ startedNs }) => startedNs)),
    );
    for (const { panels } of charts) {
      for (const { points } of panels.flatMap(({ series }) => series)) {
        const times = points.map(({ x }) => x);
        expect(times).toEqual(sorted(times));
      }
    }
  });

  test('say whose CPU time it was', () => {
    const heads = sectionsOf(frameworks(), 'Who used the CPU').map(({ blocks }) => {
      const table = blocks.find(({ kind }) => kind === 'table');
      return table?.kind === 'table' ? table.columns.map(({ head }) => head) : [];
    });
    expect(heads[0]).toEqual(['cores', 'server', 'generator', 'harness', 'together', '']);
    expect(heads[1]).toContain('manager');
  });

  test('of an overload hatch what could not be told apart', () => {
    const panels = plotsOf(cluster(), 'Latency and its tail').flatMap((plot) => plot.panels);
    expect(panels.some(({ unknownAbove }) => unknownAbove !== null)).toBe(true);
    for (const { series, unknownAbove } of panels) {
      const most = unknownAbove?.value ?? Number.POSITIVE_INFINITY;
      const drawn = series.flatMap(({ points }) => points.map(({ y }) => y));
      expect(drawn.filter((ns) => ns > most)).toEqual([]);
    }
  });

  test('of several rates have latency, answers and CPU time by rate, with the knee', () => {
    const plots = plotsOf(curve(), 'By rate');
    const knees = summariesOf(curve()).rates?.curves.map(({ knee }) => knee?.load.ratePerS ?? null);
    expect(plots.map(({ title }) => title.split(',')[0])).toEqual([
      ...['p99 latency by rate', 'Answered by rate', 'CPU by rate'],
    ]);
    for (const { panels } of plots) {
      const marks = panels.flatMap(({ series }) => series.map(({ mark }) => mark?.x ?? null));
      expect(marks).toEqual(knees);
    }
  });

  test('of a rate have memory and CPU time second by second', () => {
    const plots = plotsOf(rate(), 'Second by second');
    const seconds = rate().slices.flatMap(({ measurement }) => measurement.series);
    expect(seconds.length).toBeGreaterThan(0);
    // Of memory and of CPU time.
    expect(pointsOf(plots)).toHaveLength(2 * seconds.length);
    expect(plots).toHaveLength(2 * summaryOf(rate()).conditions.length);
  });

  test('of a run that was cut short are of what it measured', () => {
    expect(plotsOf(cutShort(), '').length).toBeGreaterThan(0);
  });
});
