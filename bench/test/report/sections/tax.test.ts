import { describe, expect, test } from 'vitest';
import type { Failure } from '../../../src/record/record.ts';
import type { Section } from '../../../src/report/document.ts';
import { taxSection } from '../../../src/report/sections/tax.ts';
import { pm2Tax } from '../../../src/suites/pm2-tax.ts';
import { type Happened, makeRecord, makeTarget, type Story } from '../../support/make-record.ts';
import { summariesOf } from '../../support/summaries.ts';
import { shown } from '../look.ts';
import { rowsOf } from '../rows-of.ts';

const COSTS: Record<string, number> = { single: 10, fork: 10, '1': 10.6, 'pmx:1': 9 };
/** Busy all the time, with 1,000 requests under way. */
const costing = (us: number): Happened => {
  const ok = Math.round(0.97e6 / us);
  return { ok, latenciesMs: [1e6 / ok], cpuUsPerResponse: us };
};
const usual: Story = ({ topology }) => ({
  ...costing(COSTS[topology] ?? 20),
  managerBytes: topology === 'single' ? 0 : 60e6,
});

type Parts = Parameters<typeof makeRecord>[0];

function sectionsOf(story: Story = usual, { options, ...parts }: Parts = {}): Section[] {
  const load = { connections: 100, pipelining: 10, launches: 3, durationS: 6 };
  const record = makeRecord(
    {
      suite: pm2Tax,
      targets: [makeTarget('app', { label: 'App' })],
      options: {
        topologies: ['single', 'fork', 1, 'pmx:1'],
        ...load,
        ...options,
      },
      ...parts,
    },
    story,
  );
  return (summariesOf(record).taxes ?? []).map(taxSection);
}

function textsOf(...of: Parameters<typeof sectionsOf>): string[] {
  return sectionsOf(...of).map((each) => shown(each));
}

/** This server failed in each of the three launches. */
const died = (server: string): Failure[] => {
  return [0, 1, 2].map((launch) => {
    return { server, launch, when: 'start', message: '', logTail: [], died: true };
  });
};

describe('the table of process managers', () => {
  test('tells the cost of each beside plain node, and memory apart', () => {
    const [section] = sectionsOf();
    expect(section && shown(section)).toMatch(
      /^What a process manager costs App, under the cost load\n/,
    );
    expect(section && rowsOf(section).map((row) => row.slice(0, 7))).toEqual([
      ['nothing: plain node', '10.00 ±0.00', '–', '–', '–', '90.0', '–'],
      ['pm2 fork mode', '10.00 ±0.00', '0.00 ±0.00', '1.00 [1.00, 1.00]', 'same', '90.0', '60.0'],
      [
        'pm2 cluster mode',
        '10.60 ±0.00',
        '+0.60 ±0.00',
        '1.06 [1.06, 1.06]',
        'slower',
        '90.0',
        '60.0',
      ],
      [
        'pm2 cluster mode with pmx',
        '9.00 ±0.00',
        '-1.00 ±0.00',
        '0.90 [0.90, 0.90]',
        'faster',
        '90.0',
        '60.0',
      ],
    ]);
  });

  test('says in words who costs more, less and as much', () => {
    expect(textsOf()[0]).toContain(
      'Beside plain node, a request costs as much under pm2 fork mode (0 %); it costs more CPU under pm2 cluster mode (+6.00 %); ' +
        'it costs less CPU under pm2 cluster mode with pmx (-10.0 %).',
    );
  });

  test('names those of one verdict together', () => {
    const dear: Story = (cell, ...when) => {
      const happened = usual(cell, ...when);
      return cell.topology === 'single' ? happened : { ...happened, ...costing(12) };
    };
    expect(textsOf(dear)[0]).toContain(
      'a request costs more CPU under pm2 fork mode (+20.0 %), pm2 cluster mode (+20.0 %) and pm2 cluster mode with pmx (+20.0 %).',
    );
  });

  test('says what cannot be told', () => {
    const shaky: Story = (cell, launch, round) => {
      const happened = usual(cell, launch, round);
      return cell.topology === 'fork' ? { ...happened, ...costing(9 + launch) } : happened;
    };
    expect(textsOf(shaky)[0]).toMatch(/a request can't be told from it under pm2 fork mode \(/);
  });

  test('has a name for every kind and number of processes', () => {
    const [section] = sectionsOf(usual, { options: { topologies: ['single', 2, 'cluster:2'] } });
    expect(section && rowsOf(section).map(([name]) => name)).toEqual([
      ...['nothing: plain node', 'pm2 cluster mode × 2', 'node:cluster × 2'],
    ]);
  });

  test('is one for each target', () => {
    const targets = [makeTarget('a', { label: 'A' }), makeTarget('b', { label: 'B' })];
    expect(textsOf(usual, { targets }).map((table) => /costs (\w)/.exec(table)?.[1])).toEqual([
      ...['A', 'B'],
    ]);
  });

  test('says of a server that failed nothing but that', () => {
    const [section] = sectionsOf(usual, { failures: died('app/1') });
    expect(section && rowsOf(section)[2]).toEqual([
      ...['pm2 cluster mode', 'failed', '–', '–', '–', '–', '–', 'a'],
    ]);
    expect(section && shown(section)).not.toContain('cluster mode (');
  });

  test('compares nothing where plain node failed', () => {
    const [section] = sectionsOf(usual, { failures: died('app/single') });
    expect(section && rowsOf(section)[1]?.slice(1, 5)).toEqual(['10.00 ±0.00', '–', '–', '–']);
    expect(section && shown(section)).toContain('There is nothing to compare with plain node.');
  });

  test('is none where nothing was reached', () => {
    expect(textsOf(() => null)).toEqual([
      'What a process manager costs App, under the cost load\nNothing was measured here.',
    ]);
  });
});
