import { expect, test } from 'vitest';
import { choiceSection } from '../../../src/report/sections/choice.ts';
import { ratesOf } from '../../../src/suites/rates.ts';
import { summarizeChoice } from '../../../src/summary/choice.ts';
import { makeRecord, type Story } from '../../support/make-record.ts';
import { summariesOf } from '../../support/summaries.ts';
import { shown } from '../look.ts';
import { rowsOf } from '../rows-of.ts';

/** CPU µs of a request, and ms that it takes. */
const SERVERS: Record<string, [cpuUs: number, ms: number]> = {
  ...{ floor: [100, 60], middle: [200, 10], top: [400, 20] },
};
const usual: Story = ({ target, load }, launch) => {
  const [cpuUs = 0, ms = 0] = SERVERS[target] ?? [];
  return {
    ok: Number(load.replace('rate-', '')),
    latenciesMs: [ms],
    cpuUsPerResponse: cpuUs * (1 + launch / 100),
  };
};
/** Nobody can tell middle and top apart, at least by their CPU time. */
const alike: Story = (cell, launch, round) => {
  const own = usual(cell, launch, round);
  if (own === null || cell.target === 'floor') return own;
  const cpuUsPerResponse = cell.target === 'middle' ? 200 : [100, 200, 350][launch];
  return { ...own, ...(cpuUsPerResponse && { cpuUsPerResponse }) };
};
const unsure: Story = (cell, launch, round) => {
  const own = usual(cell, launch, round);
  return own && cell.target === 'middle' ? { ...own, latenciesMs: [10 + launch * 2] } : own;
};
const unseen: Story = (...when) => ({ ...usual(...when), workersCpuMs: [] });
const spoiled: Story = (...when) => ({ ...usual(...when), wrongBody: 1 });
const cheaper: Story = (cell, launch, round) => {
  const own = usual(cell, launch, round);
  return own && cell.target === 'floor' ? { ...own, wrongBody: 1 } : own;
};
const dropping: Story = (...when) => ({ ...usual(...when), pace: { dropped: 1 } });

function sectionOf(story: Story, p99Ns: number | null, ...rates: number[]) {
  const perSecond = rates.map((perS) => ({ kind: 'per second' as const, perS }));
  const options = { rates: perSecond, p99Ns, launches: 3, durationS: 3 };
  const record = makeRecord({ suite: ratesOf('frameworks'), options }, story);
  const { rates: summary } = summariesOf(record);
  if (summary === null) throw new Error('the record is of no rate');
  return choiceSection(summarizeChoice(record, summary));
}

test('at one rate it is what each needs, by cores, and without a p99 no verdict', () => {
  const section = sectionOf(usual, null, 500);
  expect(shown(section)).toMatch(/^Which one: at 500 requests\/s\n/);
  expect(rowsOf(section)).toEqual([
    ['floor', '5.05 ±0.12', '90.00 ±0.00', '1', '60.03 ±0.00'],
    ['middle', '10.10 ±0.25', '90.00 ±0.00', '1', '10.01 ±0.00'],
    ['top', '20.20 ±0.50', '90.00 ±0.00', '1', '20.02 ±0.00'],
  ]);
  expect(shown(section)).toContain('With --p99 50ms it says who answers within that.');
  expect(shown(section)).not.toContain('cheapest');
});

test.each<[string, Story, number, string]>([
  [
    'the cheapest',
    usual,
    50,
    'The cheapest that meets a p99 of 50 ms is middle: of those it uses the fewest cores. CPU',
  ],
  ['that a cheaper one may meet it', cheaper, 50, "Of floor, with less CPU, it can't be told."],
  ['equals', alike, 50, 'and middle and top not by memory either.'],
  ['that all is open', spoiled, 50, "meet a p99 of 50 ms; of any it can't be told."],
  ['that there is none', usual, 5, 'None is shown to meet a p99 of 5 ms.'],
  ['that none keeps up', dropping, 50, 'None is shown to meet a p99 of 50 ms.'],
  ['none where CPU is not known', unseen, 50, "can't be told by CPU."],
  ['what can not be told', unsure, 12, 'None is shown to meet a p99 of 12 ms; of middle it can'],
])('with a p99 it names %s', (_, story, ms, text) => {
  const section = shown(sectionOf(story, ms * 1e6, 500));
  expect(section.replaceAll(/\s+/g, ' ')).toContain(text);
  expect(section).not.toContain('With --p99');
});

test('with a p99 each has a verdict', () => {
  const verdicts = (story: Story) => rowsOf(sectionOf(story, 5e7, 500)).map((row) => row[5]);
  expect(verdicts(usual)).toEqual(['does not', 'meets it', 'meets it']);
  expect(verdicts(dropping)).toEqual(["can't keep up", "can't keep up", "can't keep up"]);
});

test('at several rates it is what a core and a GB carry', () => {
  const section = sectionOf(usual, 5e7, 500, 1000);
  expect(shown(section)).toMatch(/^Which one: what a core and a GB carry\n/);
  expect(rowsOf(section)).toEqual([
    ['middle', '1,000', '10.01 ±0.00', '4,951 ±122', '11,111.11 ±0.00'],
    ['top', '1,000', '20.02 ±0.00', '2,475 ±61', '11,111.11 ±0.00'],
    ['floor', 'does not', '–', '–', '–'],
  ]);
  const text = shown(section).replaceAll(/\s+/g, ' ');
  expect(text).toContain('up to which it meets a p99 of 50 ms.');
  expect(text).toContain('No higher rate was measured of middle and top.');
  expect(text).toContain('A core carries the most with middle.');
  expect(text).toContain("A GB carries the most with middle; top can't be told from it.");
});

test('where none carries any of several rates, that is said', () => {
  const text = shown(sectionOf(dropping, null, 500, 1000)).replaceAll(/\s+/g, ' ');
  expect(text).toContain('At no measured rate is it shown of any that it keeps up.');
  expect(text).not.toContain('carries the most');
});
