import { describe, expect, test } from 'vitest';
import type { Section } from '../../../src/report/document.ts';
import { rateSections } from '../../../src/report/sections/rates.ts';
import type { RunOptions } from '../../../src/request/run-options.ts';
import { ratesOf } from '../../../src/suites/rates.ts';
import { failuresOf } from '../../support/failures.ts';
import {
  type Happened,
  makeRecord,
  makeTarget,
  otherwise,
  type Story,
} from '../../support/make-record.ts';
import { present, summariesOf } from '../../support/summaries.ts';
import { rowsOf, shown } from '../look.ts';

type Parts = Parameters<typeof makeRecord>[0];

/** With an option that is not the usual. */
const having = (options: Partial<RunOptions>): Parts => ({ options });
const ALONE = { targets: [makeTarget('floor')] };
const DEAD = { failures: failuresOf('middle/single') };

/** Of a record of three launches at these rates. */
function sectionsOf(story: Story, perSecond: number[], given: Parts = {}): Section[] {
  const { options, ...parts } = given;
  const rates = perSecond.map((perS) => ({ kind: 'per second' as const, perS }));
  const amounts = { rates, launches: 3, durationS: 3, ...options };
  const record = makeRecord({ suite: ratesOf('frameworks'), options: amounts, ...parts }, story);
  return rateSections(present(summariesOf(record).rates, 'rate'));
}

type Of = Parameters<typeof sectionsOf>;
/** The first of the sections. */
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

describe('the table of a single rate', () => {
  test.each<[string, Story, Parts]>([
    ['500 requests/s take 5.00 % of a core and 50.0 MB with floor. ', usual, ALONE],
    // Without one whose figures are invalid.
    ['and 10.0 % of a core and 100 MB with middle. ', topWith({ wrongBody: 1 }), {}],
    ['; once k6 has dropped one, from when each was sent. ', usual, having({ driver: 'k6' })],
  ])('says "%s"', (text, story, parts) => {
    expect(textOf(story, [500], parts)).toContain(text);
  });

  test('says so of a server that failed, and leaves what is unknown open', () => {
    const section = sectionOf(topWith({ series: [] }), [500], DEAD);
    const [, failed, unseen] = rowsOf(section);
    expect(failed).toEqual(['middle', 'failed', 'failed', 'failed', '–', '–', '–', 'a']);
    expect(unseen?.slice(4)).toEqual(['400.00 ±0.00', '–', '–', '–']);
    expect(shown(section)).toContain('with floor. ');
  });
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
    const pages = sectionsOf(rising, RATES, having({ topologies: ['single', 2] }));
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
      const isIt = places[cell.target]?.includes(Number(cell.load.replace('rate-', '')));
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
  expect(sectionsOf(busy, [500], having({ topologies: [2] }))).toHaveLength(1);
  expect(sectionsOf(busy, [500], ALONE)).toHaveLength(1);
});
