import { expect, test } from 'vitest';
import { makeTarget } from '../support/make-record.ts';
import { flagWhen } from './cells.ts';

/** A server with half a core, which it uses up. */
const LIMITED = { targets: [makeTarget('floor', { cpuLimit: 0.5 })] };
const UNLIMITED = { ok: 49_000, latenciesMs: [1000 / 49] };
const heldIn = (throttledPeriods: number, periods: number) => {
  return { ...UNLIMITED, throttling: { periods, throttledPeriods, throttledNs: 4e8 } };
};
const HELD = heldIn(9, 10);

test('THROTTLED says how much the limit throttled the server', () => {
  expect(flagWhen('THROTTLED', HELD, LIMITED)).toEqual({
    ...{ code: 'THROTTLED', cores: 0.5 },
    ...{ periodsShare: expect.closeTo(0.9), timeShare: expect.closeTo(0.4) },
  });
});

test.each([
  ['it did so often enough for a p99 to show', heldIn(10, 1000), true],
  ['it did so less often', heldIn(9, 1000), false],
  ['nothing ran', heldIn(0, 0), false],
])('THROTTLED where %s fires: %s', (_, happened, fires) => {
  expect(flagWhen('THROTTLED', happened, LIMITED) !== null).toBe(fires);
  expect(flagWhen('THROTTLED', {})).toBeNull();
});

test('with a limit a server that uses it up is saturated, and one that does not is not', () => {
  expect(flagWhen('UNSATURATED', HELD, LIMITED)).toBeNull();
  const half = { ...HELD, cpuUsPerResponse: 5 };
  expect(flagWhen('UNSATURATED', half, LIMITED)?.busyShare).toBeCloseTo(0.49);
  expect(flagWhen('UNSATURATED', UNLIMITED)?.busyShare).toBeCloseTo(0.49);
});

test('more CPU time than a limit gives is impossible, beyond what a window may begin with', () => {
  const flag = (cpuUsPerResponse: number) => {
    const long = { ...HELD, windowS: 10, ok: 490_000, cpuUsPerResponse };
    return flagWhen('IMPOSSIBLE', long, LIMITED);
  };
  expect(flag(10.4)).toBeNull();
  expect(flag(10.6)).toMatchObject({ usedShare: expect.closeTo(1.0388), cores: 0.5 });
});
