import { expect, test } from 'vitest';
import type { Start } from '../../src/record/record.ts';
import { startsSection } from '../../src/report/sections/servers.ts';
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
  expect(summarizeStarts(record)).toEqual([{ server: 'app/single', ...found }]);
  const shown = startsSection(record).flatMap(rowsOf);
  expect(shown.map((cells) => cells.join(' '))).toEqual([row]);
});

test('there are no warm-ups where it was observed of no server whether it settles', () => {
  const none = { starts: 0, settled: null, capped: null };
  expect(summarizeWarmups(makeRecord({}, () => ({ ok: 1, hasSettled: null })))).toEqual(none);
});
