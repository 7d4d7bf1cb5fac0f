import { expect, test } from 'vitest';
import type { RunRecord } from '../../../src/record/record.ts';
import { runDocument } from '../../../src/report/run-report.ts';
import { renderDocument } from '../../../src/report/terminal/render.ts';
import { suiteOf } from '../../../src/suites/index.ts';
import { summarize } from '../../../src/summary/summary.ts';
import { type Happened, makeRecord, makeTarget } from '../../support/make-record.ts';
import { plain } from '../look.ts';

const HAPPENED: Happened = { ok: 1000, cpuUsPerResponse: 10, serverBytes: 90e6 };
const REDIS = { redis: { cpuNs: 5e6, waitNs: 0, bytes: 8e6 } };

function reportOf(parts: Parameters<typeof makeRecord>[0]): string {
  const record = makeRecord(parts, ({ target }) => {
    return target === 'needy' ? { ...HAPPENED, services: REDIS } : HAPPENED;
  });
  const [summary, depth] = [summarize(record), { details: true, explain: false }];
  const document = runDocument(summary, suiteOf(record).show(summary, depth), depth);
  return renderDocument(document, plain(160));
}

const failure: RunRecord['serviceFailures'][number] = {
  ...{ name: 'redis', launch: 1, when: 'slice', message: 'its process died' },
  ...{ logTail: ['out of memory'], servers: ['needy/single'] },
};

test('a report of a run with services has them beside the servers that need them, and tells of one that died', () => {
  const services = { redis: { seed: null, seedFiles: null } };
  const report = reportOf({
    targets: [makeTarget('floor'), makeTarget('needy', { over: 'floor', services })],
    services: [0, 1].map((launch) => {
      return { name: 'redis' as const, launch, version: '7.0.15', idleNsPerS: 1e6 };
    }),
    serviceFailures: [failure],
  });
  // Its own CPU time, that of Redis without what it uses idle, and both; then memory.
  expect(report).toMatch(/^needy .* 10\.00 ±0\.00 +4\.00 ±0\.00 +14\.00 ±0\.00 /m);
  expect(report).toMatch(/^floor .* 10\.00 ±0\.00 +– +– /m);
  expect(report).toMatch(/^needy .* 90\.0 +8\.00 +98\.0 /m);
  expect(report).toMatch(
    /Redis failed in launch 2 \(slice\): its process died\. .*needy\/single.*\n {2}out of memory/,
  );
});

test('a report of a run without services does not speak of them', () => {
  expect(reportOf({})).not.toMatch(/services|together/);
});
