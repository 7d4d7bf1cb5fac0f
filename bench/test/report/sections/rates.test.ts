import { describe, expect, test } from 'vitest';
import type { Section } from '../../../src/report/document.ts';
import { choiceSection } from '../../../src/report/sections/choice.ts';
import { rateSections } from '../../../src/report/sections/rates.ts';
import type { RunOptions } from '../../../src/request/run-options.ts';
import { ratesOf } from '../../../src/suites/rates.ts';
import { summarizeChoice } from '../../../src/summary/choice.ts';
import { failuresOf } from '../../support/failures.ts';
import { type Happened, makeRecord, makeTarget, type Story } from '../../support/make-record.ts';
import { otherwise } from '../../support/stories.ts';
import { present, summariesOf } from '../../support/summaries.ts';
import { rowsOf, shown } from '../look.ts';

type Parts = Parameters<typeof makeRecord>[0];

/** A record of three launches at these rates. */
function ratesIn(story: Story, perSecond: number[], { options, ...parts }: Parts) {
  const rates = perSecond.map((perS) => ({ kind: 'per second' as const, perS }));
  const amounts = { rates, launches: 3, durationS: 3, ...options };
  const record = makeRecord({ suite: ratesOf('frameworks'), options: amounts, ...parts }, story);
  return { record, summary: present(summariesOf(record).rates, 'rate') };
}

/** With an option that is not the usual. */
const having = (options: Partial<RunOptions>): Parts => ({ options });
const DEAD = { failures: failuresOf('middle/single') };

function sectionsOf(story: Story, rates: number[], parts: Parts = {}): Section[] {
  return rateSections(ratesIn(story, rates, parts).summary);
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
    [
      '500 requests/s take 5.00 % of a core and 50.0 MB with floor. ',
      usual,
      { targets: [makeTarget('floor')] },
    ],
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
  expect(sectionsOf(busy, [500], { targets: [makeTarget('floor')] })).toHaveLength(1);
});

describe('which server to choose', () => {
  /** CPU µs of a request, and ms that it takes. */
  const SERVERS: Record<string, [cpuUs: number, ms: number]> = {
    ...{ floor: [100, 60], middle: [200, 10], top: [400, 20] },
  };
  const servers: Story = ({ target, load }, launch) => {
    const [cpuUs = 0, ms = 0] = SERVERS[target] ?? [];
    const ok = Number(load.replace('rate-', ''));
    return { ok, latenciesMs: [ms], cpuUsPerResponse: cpuUs * (1 + launch / 100) };
  };
  const all = (other: Happened) => otherwise(servers, () => true, other);
  const dropping = all({ pace: { dropped: 1 } });
  const cheaper = otherwise(servers, ({ target }) => target === 'floor', { wrongBody: 1 });
  /** Nobody can tell middle and top apart, at least by their CPU time. */
  const alike: Story = (cell, launch, round) => {
    const cpu = { floor: 100 + launch, middle: 200, top: [100, 200, 350][launch] }[cell.target];
    return { ...servers(cell, launch, round), ...(cpu && { cpuUsPerResponse: cpu }) };
  };
  const unsure: Story = (cell, launch, round) => {
    const own = servers(cell, launch, round);
    return cell.target === 'middle' ? { ...own, latenciesMs: [10 + launch * 2] } : own;
  };

  function choiceOf(story: Story, p99Ns: number | null, ...rates: number[]): Section {
    const { record, summary } = ratesIn(story, rates, having({ p99Ns }));
    return choiceSection(summarizeChoice(record, summary));
  }

  const tie = 'middle and top tie for the fewest cores, middle and top for the least memory too';

  test.each<[string, Story, ms?: number]>([
    ["(fewest cores); can't tell for floor, with less CPU.", cheaper],
    [`middle and top (${tie}).`, alike],
    ["meet a p99 of 50 ms; can't tell for floor, middle and top.", all({ wrongBody: 1 })],
    ['No server is shown to meet a p99 of 5 ms.', servers, 5],
    ['CPU does not tell which is the cheapest', all({ workersCpuMs: [] })],
    ["to meet a p99 of 12 ms; can't tell for middle.", unsure, 12],
  ])('with a p99 it says "%s"', (text, story, ms = 50) => {
    const section = shown(choiceOf(story, ms * 1e6, 500));
    expect(section).toContain(text);
    expect(section).not.toContain('Add --p99');
  });

  test('at several rates it is what a core and a GB carry', () => {
    const section = choiceOf(servers, 5e7, 500, 1000);
    expect(rowsOf(section)).toEqual([
      ['middle', '1,000', '10.01 ±0.00', '4,951 ±122', '11,111.11 ±0.00'],
      ['top', '1,000', '20.02 ±0.00', '2,475 ±61', '11,111.11 ±0.00'],
      ['floor', 'does not', '–', '–', '–'],
    ]);
    expect(shown(section)).toMatch(/^Which server: requests\/s per core and per GB\n/);
    expect(shown(section)).toContain(
      'up to which the server is shown to meet a p99 of 50 ms. No higher rate was measured for middle and top. ' +
        'Most requests/s per core: middle. Most requests/s per GB: middle and top (tied).',
    );
    const none = shown(choiceOf(dropping, null, 500, 1000));
    expect(none).toContain('No server is shown to keep up at any measured rate.');
    expect(none).not.toContain('Most requests/s');
  });
});
