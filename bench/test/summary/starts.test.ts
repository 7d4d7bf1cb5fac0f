import { expect, test } from 'vitest';
import type { Start } from '../../src/record/record.ts';
import { startsSection } from '../../src/report/sections/starts.ts';
import { summarizeStarts } from '../../src/summary/starts.ts';
import { rowsOf } from '../report/rows-of.ts';
import { makeRecord, makeTarget } from '../support/make-record.ts';

const start = (launch: number, startMs: number | null, megabytes: number): Start => ({
  ...{ server: 'app/single', launch, judged: [] },
  bytes: megabytes * 1e6,
  startNs: startMs === null ? null : startMs * 1e6,
});
const targets = [makeTarget('app', { label: 'App' }), makeTarget('other')];
const recordOf = (starts: Start[]) => {
  return makeRecord({ targets, starts, options: { topologies: ['single'] } }, () => ({ ok: 1 }));
};

test('of all starts of a server the median and the worst are known, of the answer and of memory', () => {
  const record = recordOf([start(0, 300, 50), start(1, 900, 40), start(2, 310, 41)]);
  const rows = summarizeStarts(record);
  expect(rows).toEqual([
    {
      ...{ server: 'app/single', starts: 3 },
      answer: { median: 310e6, worst: 900e6 },
      memory: { median: 41e6, worst: 50e6 },
    },
  ]);
  expect(rowsOf(startsSection(record, rows))).toEqual([
    ['App (single)', '3', '310', '900', '41.0', '50.0'],
  ]);
});

test('what somebody else has started has memory, and no start', () => {
  const record = recordOf([start(0, null, 50)]);
  expect(summarizeStarts(record)).toMatchObject([{ answer: null }]);
  expect(rowsOf(startsSection(record, summarizeStarts(record)))[0]?.slice(2, 4)).toEqual([
    '–',
    '–',
  ]);
});
