import { expect, test } from 'vitest';
import type { RunRecord } from '../../../src/record/record.ts';
import { limitSection } from '../../../src/report/sections/limits.ts';
import { summarizeLimits } from '../../../src/summary/limits.ts';
import { summarize } from '../../../src/summary/summary.ts';
import { makeLimitedRecord } from '../../support/make-limited-record.ts';
import { present } from '../../support/summaries.ts';
import { rowsOf, shown } from '../look.ts';

function sectionOf(record: RunRecord) {
  const [table] = summarizeLimits(record, summarize(record).conditions);
  return limitSection(present(table, 'limit'));
}

test('context switches are shown where the record has them, and no limit that was reached as not reached', () => {
  const record = makeLimitedRecord({ limits: [0.25], p99Ms: () => 10 });
  expect(shown(sectionOf(record))).not.toMatch(/switches|Never reached/);
  for (const { measurement } of record.slices) {
    const { ok } = measurement.window;
    measurement.scheduling = { voluntary: 3 * ok, involuntary: 2 * ok, faults: 0 };
  }
  const switches = expect.arrayContaining(['3.00 ±0.00', '2.00 ±0.00']);
  expect(rowsOf(sectionOf(record))[0]).toEqual(switches);
  // Older records lack what ended threads had used.
  const [first] = record.slices;
  if (first?.measurement.scheduling) first.measurement.scheduling.involuntary = -9000;
  expect(rowsOf(sectionOf(record))[0]).toEqual(switches);
});
