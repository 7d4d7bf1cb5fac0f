/** What a record deserves, whoever measured it: said by `report`, as by the command that saved it. */
import { expect, test } from 'vitest';
import type { RunRecord } from '../../src/record/record.ts';
import { makeTruthRecord } from '../studies/truth/make-truth-record.ts';
import { command } from '../support/command.ts';
import { type Happened, makeRecord } from '../support/make-record.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { codeFor } from './harness.ts';

/** A thousand requests under way, 10,000 answered in a second: each takes 100 ms. */
const FINE: Happened = { ok: 10_000, latenciesMs: [100] };

async function reportOf(record: RunRecord) {
  using folder = temporaryFolder();
  const report = await command(['report', folder.write('record.json', record)]);
  expect(report).toMatchObject({ code: codeFor(record), stderr: '' });
  return report;
}

test.each<{ what: string; happened: Happened; code: number }>([
  { what: 'all is well', happened: {}, code: 0 },
  { what: 'requests timed out, which only makes one cautious', happened: { timedOut: 9 }, code: 0 },
  { what: 'an answer had another status', happened: { wrongStatus: 1 }, code: 1 },
  { what: 'an answer had another body', happened: { wrongBody: 1 }, code: 1 },
  { what: 'requests are unaccounted for', happened: { unaccounted: 500 }, code: 1 },
  { what: 'latency does not fit throughput', happened: { latenciesMs: [10] }, code: 1 },
  { what: 'CPU time is more than there was', happened: { cpuUsPerResponse: 500 }, code: 1 },
])('where in one cell $what, it is $code', async ({ happened, code }) => {
  const record = makeRecord({}, ({ id }) => {
    return id === 'middle/single/published' ? { ...FINE, ...happened } : FINE;
  });
  const report = await reportOf(record);
  expect(report).toMatchObject({ code, stderr: '' });
  expect(report.stdout.includes('(invalid)')).toBe(code === 1);
});

test('a truth that was found is 0', async () => {
  const report = await reportOf(makeTruthRecord());
  expect(report).toMatchObject({ code: 0, stderr: '' });
  expect(report.stdout).toContain('The harness finds what is known.');
});

test.each([
  { lie: { more: { 'spin-3': 0.5 } }, missed: '3 µs more, CPU µs/request' },
  { lie: { more: { 'twin-b': 0.5 } }, missed: 'twins, CPU/request, ratio' },
  { lie: { bytes: 1201 }, missed: 'bytes of an answer' },
])('a truth that was missed is 1: $missed', async ({ lie, missed }) => {
  const report = await reportOf(makeTruthRecord(lie));
  expect(report).toMatchObject({ code: 1, stderr: '' });
  expect(report.stdout).toContain(missed);
  expect(report.stdout.replaceAll('\n', ' ')).toMatch(/The harness missed: /);
  expect(report.stdout).not.toContain('(invalid)');
});

test("a truth that these launches can't tell is 1, and what it would take is said", async () => {
  const report = await reportOf(makeTruthRecord({ more: { 'spin-1': 0.5 }, noise: 100 }));
  expect(report).toMatchObject({ code: 1, stderr: '' });
  expect(report.stdout.replaceAll('\n', ' ')).toMatch(
    /It can't tell: 1 µs more, CPU µs\/request, which would take about [\d,]+ launches;/,
  );
  expect(report.stdout).not.toMatch(/The harness (?:finds|missed)/);
});
