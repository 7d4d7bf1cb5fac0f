/** What a record deserves, whoever measured it: said by `report`, as by the command that saved it. */
import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../../src/record/record.ts';
import { makeTruthRecord } from '../studies/truth/make-truth-record.ts';
import { command } from '../support/command.ts';
import { type Happened, makeRecord } from '../support/make-record.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A thousand requests under way, 10,000 answered in a second: each takes 100 ms. */
const FINE: Happened = { ok: 10_000, latenciesMs: [100] };

async function reportOf(record: RunRecord) {
  using folder = temporaryFolder();
  const report = await command(['report', folder.write('record.json', record)]);
  expect(report.stderr).toBe('');
  return report;
}

const WHOLE = 'requests/s, latency, CPU and memory';
const COUNTS = 'requests/s, latency and CPU';

describe.each(['published', 'cost'] as const)('where in one cell under the %s load', (load) => {
  /** What happened, of which figures the report says that they are wrong, and the exit code by load. */
  test.each<[string, Happened, string | null, published: number, cost: number]>([
    ['all is well', {}, null, 0, 0],
    ['requests timed out, which only makes one cautious', { timedOut: 9 }, null, 0, 0],
    ['an answer had another status', { wrongStatus: 1 }, WHOLE, 1, 1],
    ['an answer had another body', { wrongBody: 1 }, WHOLE, 1, 1],
    ['requests are unaccounted for', { unaccounted: 500 }, COUNTS, 1, 1],
    ['latency, which no load is there for, is wrong', { latenciesMs: [150] }, 'latency', 0, 0],
    ['CPU time is more than there was', { cpuUsPerResponse: 500 }, 'CPU', 0, 1],
  ])('%s, it is by what the load is there for', async (_, happened, invalid, published, cost) => {
    const record = makeRecord({}, ({ id }) => {
      return id === `middle/single/${load}` ? { ...FINE, ...happened } : FINE;
    });
    const report = await reportOf(record);
    expect(report.code).toBe({ published, cost }[load]);
    const text = report.stdout.replaceAll(/\s+/g, ' ');
    if (invalid === null) expect(text).not.toContain('(invalid');
    else expect(text).toContain(`(invalid ${invalid})`);
  });
});

test('a server that failed in one launch of several is no reason for another code', async () => {
  const record = makeRecord({ options: { launches: 4, durationS: 12 } }, () => FINE);
  const failure = { server: 'middle/single', when: 'slice', message: 'it died' } as const;
  const after = (...launches: number[]) => {
    const failures = launches.map((launch) => {
      return { ...failure, launch, logTail: [], died: true };
    });
    return reportOf({ ...record, failures });
  };
  expect(await after(2)).toMatchObject({ code: 0 });
  expect(await after(0, 1, 2, 3)).toMatchObject({ code: 1 });
});

test('a truth that was missed is 1', async () => {
  const report = await reportOf(makeTruthRecord({ bytes: 1201 }));
  expect(report.code).toBe(1);
  expect(report.stdout).not.toContain('(invalid');
});
