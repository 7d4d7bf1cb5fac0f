import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../../../src/record/record.ts';
import { runDocument } from '../../../src/report/run-report.ts';
import { renderDocument } from '../../../src/report/terminal/render.ts';
import { suiteOf } from '../../../src/suites/index.ts';
import { summarize } from '../../../src/summary/summary.ts';
import { type Happened, makeRecord, makeTarget } from '../../support/make-record.ts';
import { plain } from '../look.ts';

const NEEDY = makeTarget('needy', {
  over: 'floor',
  services: { redis: { seed: null, seedFiles: null } },
});
const HAPPENED: Happened = { ok: 1000, cpuUsPerResponse: 10, serverBytes: 90e6 };
const REDIS = { redis: { cpuNs: 5e6, waitNs: 0, bytes: 8e6 } };

function recordOf(parts: Partial<Pick<RunRecord, 'serviceFailures'>> = {}): RunRecord {
  const services = [0, 1].map((launch) => {
    return { name: 'redis' as const, launch, version: '7.0.15', idleNsPerS: 1e6 };
  });
  return makeRecord({ targets: [makeTarget('floor'), NEEDY], services, ...parts }, ({ target }) => {
    return target === 'needy' ? { ...HAPPENED, services: REDIS } : HAPPENED;
  });
}

function reportOf(record: RunRecord, width: number): string {
  const summary = summarize(record);
  const sections = suiteOf(record).show(summary, { details: true });
  return renderDocument(
    runDocument(summary, sections, { details: true, explain: false }),
    plain(width),
  );
}

/** The words of the first row that begins so, below this heading. */
function rowBelow(text: string, heading: string, label: string): string[] {
  const [, below = ''] = text.split(heading);
  const row = below.split('\n').find((line) => line.startsWith(`${label} `));
  return row?.split(/ {2,}/) ?? [];
}

describe('a report of a run with services', () => {
  const report = reportOf(recordOf(), 160);

  test('has them beside the servers that need them, and nothing beside the others', () => {
    const heading = 'under the published load (-c 1000 -p 1)';
    const needy = rowBelow(report, heading, 'needy');
    // Its own, that of Redis without what it uses idle, and both.
    expect(needy.slice(3, 6).map(Number.parseFloat)).toEqual([10, 4, 14]);
    expect(rowBelow(report, heading, 'floor').slice(4, 6)).toEqual(['–', '–']);
  });

  test('sums memory up, target by target', () => {
    expect(report).toMatch(/^needy .* 90\.0 +8\.00 +98\.0 /m);
  });

  test('says which version it was, where it ran, and what it used idle', () => {
    expect(report.replaceAll(/\s+/g, ' ')).toContain(
      'Redis 7.0.15 shares cores 2 and 3 with the servers. Idle it used 1.00 ms of CPU in a second.',
    );
  });

  test('fits on a terminal', () => {
    const widths = reportOf(recordOf(), 80)
      .split('\n')
      .map((line) => line.length);
    expect(Math.max(...widths)).toBeLessThanOrEqual(80);
  });

  test('tells of one that died, with its last words and who was out', () => {
    const failure = {
      ...{ name: 'redis' as const, launch: 1, when: 'slice' as const, message: 'its process died' },
      ...{ logTail: ['out of memory'], servers: ['needy/single'] },
    };
    const text = reportOf(recordOf({ serviceFailures: [failure] }), 160);
    expect(text).toContain('Redis failed at slice in launch 2: its process died.');
    expect(text).toContain('Out of that launch, and of no other: needy/single.');
    expect(text).toContain('  out of memory');
  });
});

test('a report of a run without services does not speak of them', () => {
  const record = makeRecord({}, () => HAPPENED);
  expect(reportOf(record, 160)).not.toMatch(/services|together/);
});
