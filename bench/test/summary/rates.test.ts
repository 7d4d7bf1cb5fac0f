import { describe, expect, test } from 'vitest';
import { SINGLE_REQUEST_SHARE } from '../../src/plan/loads.ts';
import type { Section } from '../../src/report/document.ts';
import { rateSections } from '../../src/report/sections/rates.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { ratesOf } from '../../src/suites/rates.ts';
import { rowsOf, shown } from '../report/look.ts';
import { failuresOf } from '../support/failures.ts';
import {
  type Happened,
  makeRecord,
  makeTarget,
  otherwise,
  type Recorded,
  type Story,
} from '../support/make-record.ts';
import { present, summariesOf } from '../support/summaries.ts';

/** The summary of a record at these requests/s, of two launches by default. */
function summaryAt(perSecond: number[], story: Story, { options, ...parts }: Recorded = {}) {
  const rates = perSecond.map((perS) => ({ kind: 'per second' as const, perS }));
  const suite = ratesOf('frameworks');
  const record = makeRecord({ suite, options: { rates, ...options }, ...parts }, story);
  return present(summariesOf(record).rates, 'rate');
}

const rateOf = (load: string) => Number(load.replace('rate-', ''));
const ALONE = { targets: [makeTarget('floor')] };

function curveAt(perSecond: number[], story: Story) {
  return present(summaryAt(perSecond, story, ALONE).curves[0], 'target');
}

/** The same, where a request at each rate takes so many ms, or as given. */
function curveOf(atRate: Record<number, number | Happened | null>) {
  return curveAt(Object.keys(atRate).map(Number), ({ load }) => {
    const happened = atRate[rateOf(load)] ?? null;
    return typeof happened === 'number' ? { ok: 100, latenciesMs: [happened] } : happened;
  });
}

/** Two seconds in which processes used so much of a thousandth of a core, and as many MB. */
function used(server: number, redis: number) {
  const cpuNs = { server: server * 2e6, manager: 2e6 };
  const services = { redis: { cpuNs: redis * 2e6, bytes: redis * 1e6 } };
  return { ns: 2e9, cpuNs, bytes: { server: server * 1e6, manager: 2e6 }, services };
}

test('what processes use is that of the median second of all slices, of all together too', () => {
  const series = [[used(10, 300), used(900, 200)], [used(20, 100)], []];
  const { points } = curveAt([100], (_, launch, round) => {
    return { ok: 100, series: (launch === 0 ? series : series.toReversed())[round] ?? [] };
  });
  expect(points[0]?.use).toEqual({
    server: { cores: expect.closeTo(0.02, 9), bytes: 20e6 },
    manager: { cores: expect.closeTo(0.001, 9), bytes: 2e6 },
    services: [{ name: 'redis', cores: expect.closeTo(0.2, 9), bytes: 200e6 }],
    total: { cores: expect.closeTo(0.311, 9), bytes: 312e6 },
  });
});

const LOST: Happened = { ok: 100, latenciesMs: [0.1], timedOut: 1 };
test.each<[string, Parameters<typeof curveOf>[0], knee: string | null]>([
  ['has the most throughput for its latency', { 100: 1, 200: 1.2, 300: 2, 400: 9 }, '200 inside'],
  ['goes with the latencies', { 100: 1, 200: 1.2, 300: 1.7, 400: 9 }, '300 inside'],
  ['may be above all rates', { 100: 1, 200: 1, 300: 1 }, '300 highest'],
  ['may be below all rates', { 100: 1, 200: 3, 300: 5 }, '100 lowest'],
  ['is the lower of two that are as good', { 100: 2, 200: 1, 400: 2, 800: 9 }, '200 inside'],
  ['has a mean latency', { 100: 1, 200: 1.2, 300: LOST, 400: LOST }, '200 inside'],
  ['may be the only one that has', { 100: 1, 200: LOST, 300: LOST }, '100 lowest'],
  ['is none if none has', { 100: LOST, 200: LOST, 300: LOST }, null],
  ['takes three rates', { 100: 1, 200: 1.2 }, null],
  ['takes three that were measured', { 100: null, 200: 1.2, 300: null, 400: null }, null],
  // What was not reached is no edge.
  ['may be the last one measured', { 100: 1, 200: 1, 300: 1, 400: null }, '300 highest'],
])('the knee %s', (_, atRate, expected) => {
  const { knee } = curveOf(atRate);
  expect(knee && `${knee.load.ratePerS} ${knee.at}`).toBe(expected);
});

/** Read where the busiest server at each rate is busy for such a share; each step costs as much. */
function readAt(busy: Record<number, number | null>, options: Partial<RunOptions> = {}) {
  const story: Story = ({ target, load }) => {
    const share = busy[rateOf(load)] ?? null;
    if (share === null) return null;
    const part = { floor: 1 / 3, middle: 2 / 3, top: 1 }[target] ?? 0;
    return { ok: 1000, cpuUsPerResponse: share * part * 1000 };
  };
  return summaryAt(Object.keys(busy).map(Number), story, { options }).overheads;
}

const [below, above] = [SINGLE_REQUEST_SHARE - 0.01, SINGLE_REQUEST_SHARE + 0.01];
test.each([
  { busy: { 100: 0.1, 200: below, 300: above, 400: 0.9 }, load: 'rate-200' },
  { busy: { 100: SINGLE_REQUEST_SHARE, 200: 0.9 }, load: undefined },
  // One that the run did not reach is none.
  { busy: { 100: 0.1, 200: 0.2, 300: null }, load: 'rate-200' },
  { busy: { 100: null, 200: null }, load: undefined },
])('overheads are read at the highest rate at which requests are handled alone: $busy', (given) => {
  expect(readAt(given.busy)?.condition.load.id).toBe(given.load);
});

test('overheads are read of single processes only', () => {
  const clusters = readAt({ 100: 0.1, 200: 0.2 }, { topologies: [2, 'single'] });
  expect(clusters?.condition.topology.id).toBe('single');
  expect(readAt({ 100: 0.1 }, { topologies: [2] })).toBeNull();
});

const DEAD = { failures: failuresOf('middle/single') };

/** Of a record of three launches at these rates. */
function sectionsOf(story: Story, perSecond: number[], parts: Recorded = {}): Section[] {
  const options = { launches: 3, durationS: 3, ...parts.options };
  return rateSections(summaryAt(perSecond, story, { ...parts, options }));
}

type Of = Parameters<typeof sectionsOf>;
const sectionOf = (...of: Of) => present(sectionsOf(...of)[0], 'section');
const textOf = (...of: Of) => shown(sectionOf(...of));

/** Each second such a share of a core, and of 1,000 MB. */
const usual: Story = ({ target }) => {
  const share = { floor: 0.05, middle: 0.1, top: 0.2 }[target] ?? 0;
  const used = { server: share * 1e9, manager: 0 };
  const second = { ns: 1e9, cpuNs: used, bytes: used, services: {} };
  return { ok: 500, latenciesMs: [1], cpuUsPerResponse: share * 2000, series: [second] };
};
const topWith = (other: Happened) => otherwise(usual, ({ target }) => target === 'top', other);

test.each<[string, Story, Recorded]>([
  ['500 requests/s take 5.00 % of a core and 50.0 MB with floor. ', usual, ALONE],
  // Without one whose figures are invalid.
  ['and 10.0 % of a core and 100 MB with middle. ', topWith({ wrongBody: 1 }), {}],
  ['; once k6 has dropped one, from when each was sent. ', usual, { options: { driver: 'k6' } }],
])('the table of a single rate says "%s"', (text, story, parts) => {
  expect(textOf(story, [500], parts)).toContain(text);
});

test('the table of a single rate says so of a server that failed, and leaves what is unknown open', () => {
  const section = sectionOf(topWith({ series: [] }), [500], DEAD);
  const [, failed, unseen] = rowsOf(section);
  expect(failed).toEqual(['middle', 'failed', 'failed', 'failed', '–', '–', '–', 'a']);
  expect(unseen?.slice(4)).toEqual(['400.00 ±0.00', '–', '–', '–']);
  expect(shown(section)).toContain('with floor. ');
});

describe('the page of several rates', () => {
  /** Latency that doubles from rate to rate, with a knee at 200. */
  const LATENCIES: Record<string, number> = {
    ...{ 'rate-100': 1, 'rate-200': 1.2, 'rate-300': 4, 'rate-400': 30 },
  };
  const rising: Story = (cell, ...when) => {
    return { ...usual(cell, ...when), latenciesMs: [LATENCIES[cell.load] ?? 0] };
  };
  const RATES = [400, 100, 300, 200];

  test('tells of knees that may be beyond, that there are none, and of what was not measured', () => {
    const flat: Story = ({ target, load }) => {
      if (target === 'top') return null;
      const at300 = target === 'middle' ? 50 : 1;
      return { ok: 10, latenciesMs: [load === 'rate-100' ? 1 : at300] };
    };
    expect(textOf(flat, [100, 200, 300])).toContain(
      'Knees: floor 300/s or above; middle 100/s or below; top not measured.',
    );
    expect(textOf(rising, [100, 200])).toContain('Knees: floor none among these rates; ');
    const failed = sectionOf(rising, RATES, DEAD);
    expect(rowsOf(failed)[0]?.slice(0, 4)).toEqual(['100', '1.00', 'failed', '1.00']);
    expect(shown(failed)).toContain('; middle not measured; ');
  });

  test('is one for each topology, and no table where nothing was reached', () => {
    const pages = sectionsOf(rising, RATES, { options: { topologies: ['single', 2] } });
    const heading = 'Latency and CPU by rate, as';
    expect(pages.map((page) => shown(page).split('\n')[0])).toEqual([
      ...[`${heading} single processes`, `${heading} pm2 clusters of 2`],
    ]);
    expect(textOf(() => null, RATES)).toBe(
      `${heading} single processes\nNothing was measured here.`,
    );
  });

  test.each<[Record<string, number[]>, string]>([
    [{ top: [100, 300] }, 'top at 100 and 300/s; for example top at 300/s: 3 of '],
    [{ top: [300, 400] }, 'top from 300/s on; for example top at 400/s: 3 of '],
    [{ top: [400] }, 'top at 400/s: 3 of '],
    [{ top: [100, 200, 300, 400] }, 'top at every rate; for example top at 400/s: 3 of '],
    [
      { floor: [300, 400], middle: [100], top: [300, 400] },
      'floor and top from 300/s on; middle at 100/s; for example top at 400/s: 3 of ',
    ],
  ])('tells of which targets the generator dropped requests, and where: %j', (places, text) => {
    const story: Story = (cell, ...when) => {
      const isIt = places[cell.target]?.includes(rateOf(cell.load));
      return { ...rising(cell, ...when), pace: { dropped: isIt ? 1 : 0 } };
    };
    const [, note = ''] = /^[a-z] DROPPED: (.*)$/m.exec(textOf(story, RATES)) ?? [];
    expect(note.slice(0, text.length)).toBe(text);
  });
});

test('where overheads are not shown it is said why, and nothing where none could be shown', () => {
  const busy: Story = ({ target }) => {
    return { ok: 500, latenciesMs: [1], cpuUsPerResponse: target === 'top' ? 600 : 300 };
  };
  for (const rates of [[500], [500, 600]]) {
    const [, overhead] = sectionsOf(busy, rates);
    expect(overhead && shown(overhead)).toMatch(/^Overhead\n.*busy for less than 25 % of the time/);
  }
  expect(sectionsOf(busy, [500], { options: { topologies: [2] } })).toHaveLength(1);
  expect(sectionsOf(busy, [500], ALONE)).toHaveLength(1);
});
