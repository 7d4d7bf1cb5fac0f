import { describe, expect, test } from 'vitest';
import { makeTarget } from '../support/make-record.ts';
import { flagWhen } from './cells.ts';

/** A server with half a core, which it uses up. */
const LIMITED = { targets: [makeTarget('floor', { cpuLimit: 0.5 })] };
const UNLIMITED = { ok: 49_000, latenciesMs: [1000 / 49] };
const heldIn = (throttledPeriods: number, periods: number) => {
  return { ...UNLIMITED, throttling: { periods, throttledPeriods, throttledNs: 4e8 } };
};
const HELD = heldIn(9, 10);

describe('THROTTLED', () => {
  test('fires where the limit held the server back, and by how much', () => {
    expect(flagWhen('THROTTLED', HELD, LIMITED)).toEqual({
      ...{ code: 'THROTTLED', cores: 0.5 },
      ...{ periodsShare: expect.closeTo(0.9), timeShare: expect.closeTo(0.4) },
    });
    expect(flagWhen('THROTTLED', heldIn(10, 1000), LIMITED)).not.toBeNull();
  });

  test('is silent where it did so less often than a p99 can show, without a limit, or where nothing ran', () => {
    expect(flagWhen('THROTTLED', heldIn(9, 1000), LIMITED)).toBeNull();
    expect(flagWhen('THROTTLED', {})).toBeNull();
    expect(flagWhen('THROTTLED', heldIn(0, 0), LIMITED)).toBeNull();
  });
});

describe('with a limit', () => {
  test('a server that uses it up is saturated, and one that does not is not', () => {
    expect(flagWhen('UNSATURATED', HELD, LIMITED)).toBeNull();
    const half = { ...HELD, cpuUsPerResponse: 5 };
    expect(flagWhen('UNSATURATED', half, LIMITED)?.busyShare).toBeCloseTo(0.49);
    expect(flagWhen('UNSATURATED', UNLIMITED)?.busyShare).toBeCloseTo(0.49);
  });

  test('more CPU time than it gives is impossible, but for what a window may begin with', () => {
    const flag = (cpuUsPerResponse: number) => {
      const long = { ...HELD, windowS: 10, ok: 490_000, cpuUsPerResponse };
      return flagWhen('IMPOSSIBLE', long, LIMITED);
    };
    expect(flag(10.4)).toBeNull();
    expect(flag(10.6)).toMatchObject({ usedShare: expect.closeTo(1.0388), cores: 0.5 });
  });
});
