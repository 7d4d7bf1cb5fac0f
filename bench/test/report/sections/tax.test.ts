import { describe, expect, test } from 'vitest';
import { taxSection } from '../../../src/report/sections/comparisons.ts';
import { pm2Tax } from '../../../src/suites/pm2-tax.ts';
import { type Happened, makeRecord, makeTarget, type Story } from '../../support/make-record.ts';
import { diedThrice } from '../../support/stories.ts';
import { summariesOf } from '../../support/summaries.ts';
import { shown } from '../look.ts';
import { rowsOf } from '../rows-of.ts';

const COSTS: Record<string, number> = { single: 10, fork: 10, '1': 10.6, 'pmx:1': 9 };
/** Busy all the time, with 1,000 requests in flight; a request costs what it usually does there, or so many µs. */
const costing = (other: (topology: string, launch: number) => number | null): Story => {
  return ({ topology }, launch): Happened => {
    const us = other(topology, launch) ?? COSTS[topology] ?? 20;
    const ok = Math.round(0.97e6 / us);
    const managerBytes = topology === 'single' ? 0 : 60e6;
    return { ok, latenciesMs: [1e6 / ok], cpuUsPerResponse: us, managerBytes };
  };
};
const usual = costing(() => null);

function tablesOf(story = usual, { options, ...parts }: Parameters<typeof makeRecord>[0] = {}) {
  const topologies = ['single', 'fork', 1, 'pmx:1'] as const;
  const load = { connections: 100, pipelining: 10, launches: 3, durationS: 6 };
  const targets = [makeTarget('app', { label: 'App' })];
  const asked = { topologies: [...topologies], ...load, ...options };
  const record = makeRecord({ suite: pm2Tax, targets, options: asked, ...parts }, story);
  return (summariesOf(record).taxes ?? []).map((tax) => {
    const section = taxSection(tax);
    return { rows: rowsOf(section), text: shown(section) };
  });
}

describe('the table of process managers', () => {
  const dearer = costing((topology) => (topology === 'single' ? null : 12));
  const unsure = costing((topology, launch) => (topology === 'fork' ? 9 + launch : null));

  test.each<[string, Story]>([
    [
      'Compared with plain node: the same CPU with pm2 fork mode (0 %); more CPU with pm2 cluster mode (+6.00 %); less CPU ' +
        'with pm2 cluster mode with pmx (-10.0 %).',
      usual,
    ],
    [
      'more CPU with pm2 fork mode (+20.0 %), pm2 cluster mode (+20.0 %) and pm2 cluster mode with pmx (+20.0 %).',
      dearer,
    ],
    [": can't tell with pm2 fork mode (", unsure],
    ['\nNothing was measured here.', () => null],
  ])('says "%s"', (text, story) => {
    expect(tablesOf(story)[0]?.text).toContain(text);
  });

  test('has a name for every kind and number of processes, and is one for each target', () => {
    const [table] = tablesOf(usual, { options: { topologies: ['single', 2, 'cluster:2'] } });
    expect(table?.rows.map(([name]) => name)).toEqual([
      ...['plain node', 'pm2 cluster mode × 2', 'node:cluster × 2'],
    ]);
    const targets = [makeTarget('a', { label: 'A' }), makeTarget('b', { label: 'B' })];
    const names = tablesOf(usual, { targets }).map(({ text }) => /costs (\w)/.exec(text)?.[1]);
    expect(names).toEqual(['A', 'B']);
  });

  test('says of a server that failed nothing but that, and compares nothing with it', () => {
    const [table] = tablesOf(usual, { failures: diedThrice('app/1') });
    const dashes = ['–', '–', '–', '–', '–'];
    expect(table?.rows[2]).toEqual(['pm2 cluster mode', 'failed', ...dashes, 'a']);
    expect(table?.text).not.toContain('cluster mode (');
    const [plain] = tablesOf(usual, { failures: diedThrice('app/single') });
    expect(plain?.rows[1]?.slice(1, 5)).toEqual(['10.00 ±0.00', '–', '–', '–']);
    expect(plain?.text).toContain('There is nothing to compare with plain node.');
  });
});
