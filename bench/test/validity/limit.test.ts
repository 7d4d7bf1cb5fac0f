import { describe, expect, test } from 'vitest';
import { makeTarget } from '../support/make-record.ts';
import { flagIn, flagsWhen } from './cells.ts';

/** A server with half a core, which it uses up. */
const LIMITED = { targets: [makeTarget('floor', { cpuLimit: 0.5 })] };
const HELD = {
  ok: 49_000,
  latenciesMs: [1000 / 49],
  throttling: { periods: 10, throttledPeriods: 9, throttledNs: 4e8 },
};

const heldIn = (throttledPeriods: number) => {
  return { ...HELD, throttling: { ...HELD.throttling, periods: 1000, throttledPeriods } };
};

describe('THROTTLED', () => {
  test('fires where the limit held the server back, and by how much', () => {
    expect(flagIn(flagsWhen(HELD, LIMITED), 'THROTTLED')).toEqual({
      code: 'THROTTLED',
      cores: 0.5,
      periodsShare: expect.closeTo(0.9),
      timeShare: expect.closeTo(0.4),
    });
  });

  test('is silent where it did so less often than a p99 can show', () => {
    expect(flagIn(flagsWhen(heldIn(9), LIMITED), 'THROTTLED')).toBeNull();
    expect(flagIn(flagsWhen(heldIn(10), LIMITED), 'THROTTLED')).not.toBeNull();
  });

  test('is silent where there is no limit, or nothing ran', () => {
    expect(flagIn(flagsWhen({}), 'THROTTLED')).toBeNull();
    const idle = { throttling: { periods: 0, throttledPeriods: 0, throttledNs: 0 } };
    expect(flagIn(flagsWhen(idle, LIMITED), 'THROTTLED')).toBeNull();
  });
});

describe('with a limit', () => {
  test('a server that uses it up is saturated, and one that does not is not', () => {
    expect(flagIn(flagsWhen(HELD, LIMITED), 'UNSATURATED')).toBeNull();
    const half = { ...HELD, cpuUsPerResponse: 5 };
    expect(flagIn(flagsWhen(half, LIMITED), 'UNSATURATED')?.busyShare).toBeCloseTo(0.49);
    const unlimited = { ok: 49_000, latenciesMs: [1000 / 49] };
    expect(flagIn(flagsWhen(unlimited), 'UNSATURATED')?.busyShare).toBeCloseTo(0.49);
  });

  test('more CPU time than it gives is impossible, but for what a window may begin with', () => {
    const long = { ...HELD, windowS: 10, ok: 490_000 };
    expect(
      flagIn(flagsWhen({ ...long, cpuUsPerResponse: 10.4 }, LIMITED), 'IMPOSSIBLE'),
    ).toBeNull();
    expect(flagIn(flagsWhen({ ...long, cpuUsPerResponse: 10.6 }, LIMITED), 'IMPOSSIBLE')).toEqual({
      code: 'IMPOSSIBLE',
      usedShare: expect.closeTo(1.0388),
      cores: 0.5,
    });
  });
});
