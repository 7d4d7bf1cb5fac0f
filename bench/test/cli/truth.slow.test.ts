/** What is known of servers, really measured. */
import { expect, test } from 'vitest';
import { isStandard } from '../../src/plan/plan.ts';
import { CAN_PROFILE } from '../../src/system/inspector.ts';
import { ownPlace } from '../support/leftovers.ts';
import { measured, rowOf } from './harness.ts';

const place = ownPlace();
/** It takes its time, and longer beside other tests. */
const BUSY_MS = 420_000;

test('`truth` measures servers that tell of their own time', { timeout: BUSY_MS }, async () => {
  const { record, stdout } = await measured(place, 'truth', '--quick');
  expect(rowOf(stdout, 'bytes of an answer')).toMatch(/\d/);
  for (const { cell, handler } of record.slices) {
    if (cell.startsWith('sized')) expect(handler).toBeNull();
    // Nobody asks the garbage collector of those that work at another time.
    else expect(handler?.gcNs ?? 0, cell).toBeGreaterThanOrEqual(0);
    if (!cell.startsWith('sized')) expect(handler, cell).not.toBeNull();
    if (cell.startsWith('spin')) expect(handler?.medianNs, cell).toBeGreaterThan(0);
  }
});

test.runIf(CAN_PROFILE)(
  '`truth --where` samples servers whose parts are known',
  { timeout: BUSY_MS },
  async () => {
    const { record } = await measured(place, 'truth', '--where', '--quick');
    const { plan, profiles } = record;
    const sampled = plan.cells.filter((cell) => !isStandard(cell)).map(({ target }) => target);
    expect(sampled.length).toBeGreaterThan(0);
    expect(new Set(profiles.map(({ cell }) => cell.split('/')[0]))).toEqual(new Set(sampled));
  },
);
