import { describe, expect, test } from 'vitest';
import type { Failure } from '../../../src/record/record.ts';
import type { Section } from '../../../src/report/document.ts';
import { overloadSection } from '../../../src/report/sections/overload.ts';
import { makeClusterRecord, SERVICE_MS } from '../../support/make-cluster-record.ts';
import { type Happened, makeTarget, type Story } from '../../support/make-record.ts';
import { summariesOf } from '../../support/summaries.ts';
import { shown } from '../look.ts';
import { rowsOf } from '../rows-of.ts';

const LOST: Happened = {
  ...{
    ok: 30,
    latenciesMs: [4000],
    timedOut: 50,
    lostAgesMs: Array.from({ length: 50 }, () => 10_000),
  },
  ...{ inFlight: 20, inFlightAgesMs: Array.from({ length: 20 }, () => 3000) },
};

type Parts = Parameters<typeof makeClusterRecord>[1];

function tableOf(happened: Happened | null = LOST, parts: Parts = {}, isPublished = true): Section {
  const story: Story = ({ load }) => {
    const of = { windowS: 10, cpuUsPerResponse: 100_000 };
    if (load === 'alone') return { ...of, ok: 100, latenciesMs: [SERVICE_MS] };
    if (load === 'feasible') return { ...of, ok: 100, latenciesMs: [1600] };
    return happened && { ...of, cpuUsPerResponse: 300_000, ...happened };
  };
  const record = makeClusterRecord(story, { topologies: ['single', 2], ...parts });
  const { overload } = summariesOf(record);
  if (overload === null) throw new Error('the record has no overload');
  return overloadSection(overload, { isPublished });
}

const first = (table: Section) => rowsOf(table)[0] ?? [];

describe('the table of an overload', () => {
  test('counts what became of the requests, and they add up', () => {
    const [, sent, ...outcomes] = first(tableOf());
    expect([sent, ...outcomes.slice(0, 3)]).toEqual(['300', '90', '150', '60']);
    expect(90 + 150 + 60).toBe(300);
  });

  test('says what share was answered, what could be, and what was done for nobody', () => {
    expect(first(tableOf()).slice(5, 8)).toEqual(['30.0 %', '≤ 300', '3.00 ×']);
  });

  test('gives latency as far as it is known, and crosses out the mean of the survivors', () => {
    expect(first(tableOf()).slice(8, 12)).toEqual([
      ...[
        '> 10 s',
        '> 10 s',
        expect.stringMatching(/^> \d\.\d+ s$/),
        { text: '4,001', emphasis: 'struck' },
      ],
    ]);
  });

  test('lets the mean stand where all were answered', () => {
    const row = first(tableOf({ ok: 100, latenciesMs: [4000] }));
    expect(row.slice(1, 8)).toEqual(['300', '300', '0', '–', '100 %', '≤ 300', '–']);
    expect(row.slice(8, 12)).toEqual(['4,002', '4,002', '4,001', '4,001']);
  });

  test('has no time where nobody was answered and nobody looked', () => {
    expect(first(tableOf({ inFlight: 100 })).slice(1)).toEqual([
      ...['300', '0', '0', '–', '0 %', '≤ 300', '–', '–', '–', '–', '–'],
      expect.stringMatching(/^[a-z]( [a-z])*$/),
    ]);
  });

  test('shows wrong answers and lost connections only where there are any', () => {
    expect(shown(tableOf())).not.toMatch(/wrong|lost with a/);
    const table = tableOf({ ...LOST, wrongStatus: 2, wrongBody: 1, disconnected: 4 });
    expect(shown(table)).toMatch(/wrong +timed +lost with a/);
    expect(first(table).slice(1, 7)).toEqual(['321', '90', '9', '150', '12', '60']);
  });

  test('says of a server that failed in each launch nothing but that', () => {
    const failures = [0, 1, 2].map((launch): Failure => {
      const when = { launch, when: 'slice' } as const;
      return { server: 'fib/single', ...when, message: '', logTail: [], died: true };
    });
    expect(first(tableOf(LOST, { failures }))).toEqual([
      ...['single', 'failed', '–', '–', '–', '–', '–', '–', '–', '–', '–', '–'],
      expect.stringMatching(/^[a-z]$/),
    ]);
  });

  test('is no table where nothing was reached', () => {
    expect(shown(tableOf(null)).split('\n')).toEqual([
      expect.stringMatching(/^Overload/),
      'Nothing was measured here.',
    ]);
  });

  test('goes from the fewest processes to the most, target by target', () => {
    const targets = [makeTarget('b', { label: 'B' }), makeTarget('a', { label: 'A' })];
    const table = tableOf(LOST, { targets, topologies: [4, 'single'] });
    expect(rowsOf(table).map(([name]) => name)).toEqual([
      ...['B (single)', 'B (4)', 'A (single)', 'A (4)'],
    ]);
  });

  test('says of the published load that it is', () => {
    expect(shown(tableOf())).toMatch(
      /^Overload, as published: -c 1000 -p 10, 10 s in each launch\n/,
    );
    const other = tableOf(LOST, { options: { connections: 500 } }, false);
    expect(shown(other)).toMatch(/^Overload: -c 500 -p 10, /);
  });

  test('leaves out the flag that says what the whole table says', () => {
    const table = tableOf({ ...LOST, wrongBody: 1 });
    expect(shown(table)).not.toContain('CENSORED');
    expect(table.flags).not.toContain('CENSORED');
    expect(table.flags).toContain('BAD_RESPONSE');
  });
});
