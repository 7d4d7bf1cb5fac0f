import { expect, test } from 'vitest';
import { cellOf, loadOf, topologyOf } from '../../src/plan/plan.ts';
import type { RunRecord, Slice } from '../../src/record/record.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { GeneratorCounts } from '../../src/run/generators.ts';
import { makeRecord, makeTarget } from '../support/make-record.ts';

/** Slices of two targets as single processes on four cores; none of them at the generator's limit. */
function recordOf(options: Partial<RunOptions> = {}): RunRecord {
  const targets = [makeTarget('a'), makeTarget('b')];
  return makeRecord({ targets, options }, () => ({ ok: 1000 }));
}

/** A slice under the published load, changed so that the generator was the limit. */
function boundIn(record: RunRecord, launch = 0): Slice {
  const isIt = (each: Slice) => each.cell === 'a/single/published' && each.launch === launch;
  const slice = record.slices.find(isIt);
  if (slice === undefined) throw new Error(`no slice in launch ${launch}`);
  slice.measurement.turns = { all: 80, empty: 0, idleNs: 0 };
  return slice;
}

test('if the generator was the limit, its topology and load get one more, and all slices are due again', () => {
  const record = recordOf();
  const before = [...record.slices];
  const counts = new GeneratorCounts(record);
  const isPublished = ({ cell }: Slice) => cell.endsWith('/published');
  expect(counts.relieve(record, boundIn(record))).toEqual(before.filter(isPublished));
  expect(record.slices).toEqual(before.filter((slice) => !isPublished(slice)));
  const ids = ['a/single/published', 'b/single/published', 'a/single/cost'];
  expect(ids.map((id) => counts.of(cellOf(record.plan, id)))).toEqual([2, 2, 1]);
});

test.each([
  ['one more than one if a core is spare', 1, [1, 2], 1000, 2],
  ['one more than two', 2, [1, 2], 1000, 3],
  ['as many as before if no core is left', 1, [], 1000, 1],
  ['no more than all cores', 3, [1, 2], 1000, 3],
  ['never more than connections', 2, [1, 2, 3], 2, 2],
])('if generators were the limit, there are %s', (_, before, spareCores, connections, needed) => {
  const record = recordOf();
  const slice = boundIn(record);
  const cell = cellOf(record.plan, slice.cell);
  topologyOf(record.plan, cell.topology).spareCores = spareCores;
  loadOf(record.plan, cell.load).connections = connections;
  for (const { measurement } of record.slices) measurement.generators = before;
  const counts = new GeneratorCounts(record);
  counts.relieve(record, slice);
  expect(counts.of(cell)).toBe(needed);
});

const CONTIGUOUS = { contiguous: true, sliceS: 3 };
const idle = (_: RunRecord, { measurement }: Slice) => {
  measurement.turns = { all: 500_000, empty: 400_000, idleNs: 3.1e8 };
};
const asProbe = ({ plan }: RunRecord) => {
  plan.probes = plan.cells.splice(0);
};

test.each<[string, RunRecord, number, (record: RunRecord, slice: Slice) => void]>([
  ['if the generator was not the limit', recordOf(), 0, idle],
  ['in a later launch', recordOf(), 1, () => {}],
  ['in a contiguous run', recordOf(CONTIGUOUS), 0, () => {}],
  ['for a probe, which nothing else should limit', recordOf(), 0, asProbe],
])('the record stays as it is %s', (_, record, launch, change) => {
  const slice = boundIn(record, launch);
  change(record, slice);
  const before = [...record.slices];
  const counts = new GeneratorCounts(record);
  expect(counts.relieve(record, slice)).toEqual([]);
  expect(record.slices).toEqual(before);
  expect(counts.of(cellOf(record.plan, slice.cell))).toBe(1);
});
