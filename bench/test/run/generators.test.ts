import { describe, expect, test } from 'vitest';
import { cellOf } from '../../src/plan/plan.ts';
import type { RunRecord, Slice } from '../../src/record/record.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { GeneratorCounts } from '../../src/run/generators.ts';
import { makeMachine, makeRecord, makeTarget } from '../support/make-record.ts';

/** Slices of two targets as single processes on so many cores; none of them at the generator's limit. */
function recordOn(cores: number, options: Partial<RunOptions> = {}): RunRecord {
  const machine = makeMachine({ cores: Array.from({ length: cores }, (_, core) => core) });
  const targets = [makeTarget('a'), makeTarget('b')];
  return makeRecord({ machine, targets, options }, () => ({ ok: 1000 }));
}

/** A slice of the record, changed so that the generator was the limit. */
function boundIn(record: RunRecord, cell: string, launch = 0): Slice {
  const slice = record.slices.find((each) => each.cell === cell && each.launch === launch);
  if (slice === undefined) throw new Error(`no slice of ${cell} in launch ${launch}`);
  slice.measurement.turns = { all: 80, empty: 0, idleNs: 0 };
  return slice;
}

const load = ({ cell }: Slice) => cell.split('/')[2];

describe('a slice in the first launch that shows the generator as the limit', () => {
  test('adds one, and takes all slices of its topology and load out of the record', () => {
    const record = recordOn(4);
    const before = [...record.slices];
    const counts = new GeneratorCounts();
    const thrownAway = counts.relieve(record, boundIn(record, 'a/single/published'));
    expect(thrownAway).toEqual(before.filter((slice) => load(slice) === 'published'));
    expect(record.slices).toEqual(before.filter((slice) => load(slice) !== 'published'));
    expect(record.slices.length).toBeGreaterThan(0);
  });

  test('counts for every cell of its topology and load, and no other', () => {
    const record = recordOn(4);
    const counts = new GeneratorCounts();
    counts.relieve(record, boundIn(record, 'a/single/published'));
    const countOf = (id: string) => counts.of(cellOf(record.plan, id));
    expect(countOf('a/single/published')).toBe(2);
    expect(countOf('b/single/published')).toBe(2);
    expect(countOf('a/single/cost')).toBe(1);
  });

  test('adds one after the other, as long as there are cores', () => {
    const counts = new GeneratorCounts();
    const countAfter = (generators: number) => {
      const record = recordOn(5);
      const slice = boundIn(record, 'a/single/published');
      slice.measurement.generators = generators;
      counts.relieve(record, slice);
      return counts.of(cellOf(record.plan, slice.cell));
    };
    expect([1, 2, 3].map(countAfter)).toEqual([2, 3, 3]);
  });
});

describe('the record stays as it is', () => {
  test.each([
    { what: 'where the generator was not the limit', record: recordOn(4), bound: false, launch: 0 },
    { what: 'where no core is spare', record: recordOn(2), bound: true, launch: 0 },
    { what: 'in a later launch', record: recordOn(4), bound: true, launch: 1 },
    {
      what: 'in a contiguous run',
      record: recordOn(4, { contiguous: true, sliceS: 3 }),
      bound: true,
      launch: 0,
    },
  ])('$what', ({ record, bound, launch }) => {
    const before = [...record.slices];
    const counts = new GeneratorCounts();
    const slice = boundIn(record, 'a/single/published', launch);
    if (!bound) slice.measurement.turns = { all: 500_000, empty: 400_000, idleNs: 3.1e8 };
    expect(counts.relieve(record, slice)).toEqual([]);
    expect(record.slices).toEqual(before);
    expect(counts.of(cellOf(record.plan, slice.cell))).toBe(1);
  });

  test('for what a probe shows, which is to be limited by nothing else', () => {
    const record = recordOn(4);
    const slice = boundIn(record, 'b/single/published');
    const probe = cellOf(record.plan, slice.cell);
    record.plan.cells = record.plan.cells.filter(({ id }) => id !== probe.id);
    record.plan.probes = [probe];
    expect(new GeneratorCounts().relieve(record, slice)).toEqual([]);
  });
});
