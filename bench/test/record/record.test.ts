import { expect, test } from 'vitest';
import { readJson } from '../../src/base/files.ts';
import { type RunRecord, recordSchema } from '../../src/record/record.ts';
import { userError } from '../support/caught.ts';
import { makeRecord, STACK } from '../support/make-record.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const died = { message: 'it died', logTail: ['out of memory'], died: true };
const batches = [{ asked: 1500, answers: 1500, ns: 1.5e8, cpuNs: 7.5e7, bytes: 80e6 }];
const warmup = { server: 'top/single', launch: 0, batches, ns: 1.5e8 };
const RECORD = makeRecord(
  {
    failures: [{ server: 'top/single', launch: 1, when: 'slice', ...died }],
    warmups: [
      { ...warmup, outcome: 'settled' },
      { ...warmup, outcome: 'capped' },
    ],
    firstTableNs: 5e9,
  },
  (_cell, launch, round) => ({ ok: 100 * launch + round, latenciesMs: [1.5, 2] }),
);

/** The record that a file with this content is read as. */
function read(content: unknown): RunRecord {
  using folder = temporaryFolder();
  return readJson(folder.write('run.json', content), [recordSchema]);
}

test('a record is read as it was saved, without the location of its targets', () => {
  const handler = { medianNs: 3070, meanNs: 3120.5, gcNs: 12 };
  const record = { ...RECORD, slices: RECORD.slices.map((slice) => ({ ...slice, handler })) };
  expect(record.slices).not.toEqual([]);
  expect(read(record)).toEqual(record);
  expect(STACK.map(({ directory }) => directory)).not.toContain(undefined);
  expect(JSON.stringify(RECORD)).not.toContain('/packages/');
});

test.each<[string, (record: RunRecord) => unknown]>([
  ['state: ', (record) => ({ ...record, state: 'done' })],
  ['startedAt: ', (record) => ({ ...record, startedAt: 'yesterday' })],
  ['slices.0.handler: ', ({ slices: [slice] }) => ({ slices: [{ ...slice, handler: 0.003 }] })],
  ['failures.0.died: ', ({ failures: [one] }) => ({ failures: [{ ...one, died: undefined }] })],
  ['machine.cores: ', ({ machine }) => ({ machine: { ...machine, cores: [] } })],
  ['targets: there are two', ({ targets }) => ({ targets: [...targets, ...targets] })],
  ['plan.cells.0.target: there is no target', () => ({ targets: [] })],
  ['plan.cells.0.load: there is no load', ({ plan }) => ({ plan: { ...plan, loads: [] } })],
  ['slices.1: it is there twice', ({ slices: [slice] }) => ({ slices: [slice, slice] })],
  ['slices.0.cell: the plan has no', ({ slices: [one] }) => ({ slices: [{ ...one, cell: 'it' }] })],
])('damage is named: %s', (problem, damage) => {
  const damaged = Object.assign({ ...RECORD }, damage(RECORD));
  expect(userError(() => read(damaged)).message).toContain(`is damaged: ${problem}`);
});
