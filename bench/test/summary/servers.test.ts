import { expect, test } from 'vitest';
import type { RunRecord, Start, Warmup } from '../../src/record/record.ts';
import { startsSection } from '../../src/report/sections/environment.ts';
import { summarizeStarts, summarizeWarmups } from '../../src/summary/servers.ts';
import { rowsOf } from '../report/look.ts';
import { makeRecord, makeTarget } from '../support/make-record.ts';

test.each<[string, [startMs: number | null, megabytes: number][], found: object, row: string]>([
  [
    'of all starts the median and the worst, of the answer and of memory',
    [300, 900, 310].map((startMs, launch) => [startMs, [50, 40, 41][launch] ?? 0]),
    { starts: 3, answer: { median: 310e6, worst: 900e6 }, memory: { median: 41e6, worst: 50e6 } },
    'App (single) 3 310 900 41.0 50.0',
  ],
  [
    'only the memory of what somebody else has started',
    [[null, 50]],
    { starts: 1, answer: null, memory: { median: 50e6, worst: 50e6 } },
    'App (single) 1 – – 50.0 50.0',
  ],
])('of a server is known %s', (_, measured, found, row) => {
  const starts = measured.map(([startMs, megabytes], launch): Start => {
    const startNs = startMs === null ? null : startMs * 1e6;
    return { server: 'app/single', launch, judged: [], bytes: megabytes * 1e6, startNs };
  });
  const targets = [makeTarget('app', { label: 'App' }), makeTarget('other')];
  const options = { topologies: ['single' as const] };
  const record = makeRecord({ targets, starts, options }, () => ({ ok: 1 }));
  const rows = summarizeStarts(record);
  expect(rows).toEqual([{ server: 'app/single', ...found }]);
  expect(rowsOf(startsSection(record, rows)).map((cells) => cells.join(' '))).toEqual([row]);
});

/** A start of this server that took so long, of batches with so many answers. */
function warmupOf(ns: number, answers: number[], late: string | null = null): Warmup {
  const batches = answers.map((each) => {
    return { asked: null, answers: each, ns: ns / answers.length, cpuNs: 0, bytes: 0 };
  });
  const outcome = late === null ? 'settled' : 'capped';
  return { server: late ?? 'floor/single', launch: 0, batches, ns, outcome };
}

function warmupsOf(warmups: Warmup[], parts: Partial<RunRecord['plan']> = {}) {
  const record = makeRecord({ options: { warmupS: 3 }, warmups }, () => null);
  return summarizeWarmups({ ...record, plan: { ...record.plan, ...parts } });
}

test('warm-ups have the time and the requests of the median start', () => {
  const warmups = [warmupOf(1e9, [100, 100]), warmupOf(2e9, [500]), warmupOf(9e8, [50, 60, 70])];
  const settled = { ns: 1e9, requests: 200 };
  expect(warmupsOf(warmups)).toEqual({ starts: 3, settled, capped: null });
});

test('servers that had not settled are named once, and left out of the median', () => {
  const late = (server: string) => warmupOf(3e9, [9000], server);
  const warmups = [late('top/single'), warmupOf(1e9, [70]), late('top/single'), late('middle/2')];
  expect(warmupsOf(warmups)).toEqual({
    starts: 4,
    settled: { ns: 1e9, requests: 70 },
    capped: { starts: 3, capNs: 3e9, servers: ['top/single', 'middle/2'] },
  });
  const none = { starts: 1, settled: null, capped: { starts: 1 } };
  expect(warmupsOf([late('top/single')])).toMatchObject(none);
});

test('there are none if nothing was warmed up, or it was not observed', () => {
  const warmups = [{ kind: 'none' } as const, { kind: 'timed', ns: 3e9 } as const];
  for (const parts of [{}, ...warmups.map((warmup) => ({ warmup }))]) {
    expect(warmupsOf([], parts)).toBeNull();
  }
});
