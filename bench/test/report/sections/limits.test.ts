import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../../../src/record/record.ts';
import { runHead } from '../../../src/report/head.ts';
import { runDocument } from '../../../src/report/run-report.ts';
import { limitSection } from '../../../src/report/sections/limits.ts';
import { summarizeConditions } from '../../../src/summary/conditions.ts';
import { summarizeLimits } from '../../../src/summary/limits.ts';
import { summarize } from '../../../src/summary/summary.ts';
import { makeLimitedRecord } from '../../support/make-limited-record.ts';
import { rowsOf } from '../rows-of.ts';

function sectionOf(record: RunRecord) {
  const [table] = summarizeLimits(record, summarizeConditions(record));
  if (table === undefined) throw new Error('the record tells of no limits');
  return limitSection(table);
}

function textOf(record: RunRecord): string {
  const paragraphs = sectionOf(record).blocks.flatMap((block) => {
    return block.kind === 'paragraph' ? block.text : [];
  });
  return paragraphs.join(' ');
}

const WORSE = makeLimitedRecord({ limits: [0.25, 0.5], p99Ms: (threads) => 10 * threads });

describe('the section of CPU limits', () => {
  test('has a row for each limit and setting', () => {
    const section = sectionOf(WORSE);
    expect(section.blocks[0]).toMatchObject({ text: 'CPU limits, at 500 requests/s' });
    const rows = rowsOf(section).map((row) => row.slice(0, 8));
    expect(rows).toEqual([
      ['App', '0.25', '1 thread', '500.00 ±0.00', '1.00', '5.05', '10.0', '50.0 %'],
      ['App', '0.25', '2 threads', '250.00 ±0.00', '1.00', '10.1', '20.0', '50.0 %'],
      ['App', '0.5', '1 thread', '500.00 ±0.00', '1.00', '5.05', '10.0', '0 %'],
      ['App', '0.5', '2 threads', '250.00 ±0.00', '1.00', '10.1', '20.0', '0 %'],
    ]);
    expect(section.flags).toContain('THROTTLED');
  });

  test('has context switches of each request where the record has them', () => {
    const record = makeLimitedRecord({ limits: [0.25], p99Ms: () => 10 });
    for (const { measurement } of record.slices) {
      const { ok } = measurement.window;
      measurement.scheduling = { voluntary: 3 * ok, involuntary: 2 * ok, faults: 0 };
    }
    expect(rowsOf(sectionOf(WORSE))[0]).not.toContain('3.00 ±0.00');
    expect(rowsOf(sectionOf(record))[0]).toEqual(
      expect.arrayContaining(['3.00 ±0.00', '2.00 ±0.00']),
    );
  });

  test('says which setting a limit wants, and what the other one costs', () => {
    expect(textOf(WORSE)).toContain(
      'App with 0.25 cores wants 1 thread: with 2 threads p99 2.00 [2.00, 2.00] and p95 2.00 [2.00, 2.00] ' +
        'times what 1 thread has.',
    );
  });

  test('says so where that can not be told', () => {
    const p99Ms = (threads: number, launch: number) => {
      return threads === 1 ? 10 : 10 * 4 ** (launch - 1);
    };
    // The mean of 2.5, 10 and 40 over 10.
    expect(textOf(makeLimitedRecord({ limits: [0.25], p99Ms }))).toContain(
      "Which setting App with 0.25 cores wants can't be told: with 2 threads p99 1.75 [",
    );
  });

  test('says which limits were never reached', () => {
    expect(textOf(WORSE)).toContain(
      'Never reached was the limit of App with 0.5 cores (1 thread) and App with 0.5 cores (2 threads)',
    );
    const reached = makeLimitedRecord({ limits: [0.25], p99Ms: () => 10 });
    expect(textOf(reached)).not.toContain('Never reached');
  });

  test('says how many processes the rate takes by what its requests cost', () => {
    // 500 requests/s of 100 µs.
    expect(textOf(WORSE)).toContain(
      'The requests of App with 0.25 cores keep 0.05 cores busy: 1 thread should do.',
    );
    const dear = makeLimitedRecord({ limits: [0.03], p99Ms: () => 10 });
    expect(textOf(dear)).toContain(
      '0.05 cores busy, too near the limit for any number of processes.',
    );
  });

  test('says so where nothing was measured', () => {
    expect(textOf({ ...WORSE, slices: [] })).toBe('Nothing was measured here.');
  });
});

test('every report of limited servers has it, and the head says what they had', () => {
  const { sections } = runDocument(summarize(WORSE), [], { details: true, explain: false });
  const headings = sections.flatMap(({ blocks: [first] }) => {
    return first?.kind === 'heading' ? first.text : [];
  });
  expect(headings[0]).toBe('CPU limits, at 500 requests/s');
  expect(runHead(WORSE).intro[0]).toContain(
    'Each server was in a control group with a CPU limit of 0.25 cores or 0.5 cores.',
  );
});
