import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../../../src/record/record.ts';
import { runHead } from '../../../src/report/head.ts';
import { runDocument } from '../../../src/report/run-report.ts';
import { limitSection } from '../../../src/report/sections/limits.ts';
import { summarizeLimits } from '../../../src/summary/limits.ts';
import { summarize } from '../../../src/summary/summary.ts';
import { makeLimitedRecord } from '../../support/make-limited-record.ts';
import { rowsOf, shown } from '../look.ts';

function sectionOf(record: RunRecord) {
  const [table] = summarizeLimits(record, summarize(record).conditions);
  if (table === undefined) throw new Error('the record tells of no limits');
  return limitSection(table);
}

const WORSE = makeLimitedRecord({ limits: [0.25, 0.5], p99Ms: (threads) => 10 * threads });
const REACHED = makeLimitedRecord({ limits: [0.25], p99Ms: () => 10 });

describe('the section of CPU limits', () => {
  test('has a row for each limit and setting', () => {
    const section = sectionOf(WORSE);
    expect(rowsOf(section).map((row) => row.slice(0, 8))).toEqual([
      ['App', '0.25', '1 thread', '500.00 ±0.00', '1.00', '5.05', '10.0', '50.0 %'],
      ['App', '0.25', '2 threads', '250.00 ±0.00', '1.00', '10.1', '20.0', '50.0 %'],
      ['App', '0.5', '1 thread', '500.00 ±0.00', '1.00', '5.05', '10.0', '0 %'],
      ['App', '0.5', '2 threads', '250.00 ±0.00', '1.00', '10.1', '20.0', '0 %'],
    ]);
    expect(section.flags).toContain('THROTTLED');
  });

  test('has context switches where the record has them, and no limit as not reached that was', () => {
    const record = structuredClone(REACHED);
    for (const { measurement } of record.slices) {
      const { ok } = measurement.window;
      measurement.scheduling = { voluntary: 3 * ok, involuntary: 2 * ok, faults: 0 };
    }
    expect(rowsOf(sectionOf(WORSE))[0]).not.toContain('3.00 ±0.00');
    expect(shown(sectionOf(record))).not.toContain('Never reached');
    const switches = expect.arrayContaining(['3.00 ±0.00', '2.00 ±0.00']);
    expect(rowsOf(sectionOf(record))[0]).toEqual(switches);
    // Older records lack what ended threads had used.
    const [first] = record.slices;
    if (first?.measurement.scheduling) first.measurement.scheduling.involuntary = -9000;
    expect(rowsOf(sectionOf(record))[0]).toEqual(switches);
  });

  // The mean of 2.5, 10 and 40 over 10.
  const shaky = (threads: number, launch: number) => (threads === 1 ? 10 : 10 * 4 ** (launch - 1));

  test.each<[string, RunRecord]>([
    [
      'Best for App with 0.25 cores: 1 thread. Relative to 1 thread: p99 2.00 [2.00, 2.00] and p95 2.00 [2.00, 2.00] with ' +
        '2 threads.',
      WORSE,
    ],
    [
      "Best for App with 0.25 cores: can't tell. Relative to 1 thread: p99 1.00 [0.03, 31.3]",
      makeLimitedRecord({ limits: [0.25], p99Ms: shaky }),
    ],
    [
      'Never reached its limit, which changed nothing: App with 0.5 cores (1 thread) and App with 0.5 cores (2 threads).',
      WORSE,
    ],
    // 500 requests/s of 100 µs.
    ['The requests of App with 0.25 cores keep 0.05 cores busy: 1 thread should do.', WORSE],
    [
      '0.05 cores busy, too close to the limit for any number of processes.',
      makeLimitedRecord({ limits: [0.03], p99Ms: () => 10 }),
    ],
    ['\nNothing was measured here.', { ...WORSE, slices: [] }],
  ])('says "%s"', (text, record) => {
    expect(shown(sectionOf(record))).toContain(text);
  });
});

test('every report of limited servers has it, and the head says what they had', () => {
  const [first] = runDocument(summarize(WORSE), [], { details: true, explain: false }).sections;
  expect(first?.blocks[0]).toMatchObject({ text: 'CPU limits, at 500 requests/s' });
  expect(runHead(WORSE).intro[0]).toContain(
    'Each server ran in a control group with a CPU limit of 0.25 cores or 0.5 cores.',
  );
});
