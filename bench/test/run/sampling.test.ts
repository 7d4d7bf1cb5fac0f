import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../../src/record/record.ts';
import { addCollected } from '../../src/run/sampling.ts';
import { makeMeasurement } from '../support/make-record.ts';

/** A slice whose window is from 1 s on, of a second. */
function sliceOf(cell: string, openedNs: number | null = 1e9) {
  const measurement = { ...makeMeasurement({ ok: 1000, windowS: 1 }), openedNs };
  return { cell, launch: 0, measurement };
}

const collection = (beganNs: number, ns: number) => ({ beganNs, ns });

describe('what the collector took', () => {
  test('is what lies inside of the windows, of all slices of a cell in a launch together', () => {
    const record: Pick<RunRecord, 'collected'> = { collected: [] };
    const before = collection(0.5e9, 1e6);
    const intoIt = collection(0.999e9, 3e6);
    const inside = collection(1.5e9, 5e6);
    const outOfIt = collection(1.996e9, 7e6);
    const after = collection(2.5e9, 1e6);
    addCollected(sliceOf('a'), [before, intoIt, inside, outOfIt, after], record);
    expect(record.collected).toEqual([{ cell: 'a', launch: 0, ns: 11e6 }]);
    addCollected(sliceOf('a'), [inside], record);
    addCollected(sliceOf('b'), [], record);
    addCollected({ ...sliceOf('a'), launch: 1 }, [inside], record);
    expect(record.collected).toEqual([
      { cell: 'a', launch: 0, ns: 16e6 },
      { cell: 'b', launch: 0, ns: 0 },
      { cell: 'a', launch: 1, ns: 5e6 },
    ]);
  });

  test('is not known where nobody knows when the window opened', () => {
    const record: Pick<RunRecord, 'collected'> = { collected: [] };
    addCollected(sliceOf('a', null), [collection(1.5e9, 5e6)], record);
    expect(record.collected).toEqual([]);
  });
});
