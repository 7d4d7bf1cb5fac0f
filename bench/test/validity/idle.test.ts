import { describe, expect, test } from 'vitest';
import { flagIn, flagsWhen } from './cells.ts';

describe('NOT_QUIET', () => {
  const flagWhere = (isQuiet: (launch: number, round: number) => boolean | null) => {
    return flagIn(
      flagsWhen((launch, round) => ({ isQuiet: isQuiet(launch, round) })),
      'NOT_QUIET',
    );
  };

  test('fires on a single slice after which the server was still busy', () => {
    const flag = flagWhere((launch, round) => launch !== 1 || round !== 2);
    expect(flag).toEqual({ code: 'NOT_QUIET', busy: 1, slices: 9 });
  });

  test('is silent where it was quiet, or nobody waited for that', () => {
    expect(flagWhere(() => true)).toBeNull();
    expect(flagWhere(() => null)).toBeNull();
  });
});

describe('IDLE_USE', () => {
  /** The flag where a server that uses 980 ms in each slice of 1 s uses so much of it in each second anyway. */
  const flagOf = (idleMsPerS: number) => {
    return flagIn(flagsWhen({ idleNsPerS: idleMsPerS * 1e6 }), 'IDLE_USE');
  };

  test('fires where more than a tenth of what the server used is what it uses anyway', () => {
    expect(flagOf(196)).toEqual({ code: 'IDLE_USE', share: expect.closeTo(0.2, 9) });
    expect(flagOf(98.1)).not.toBeNull();
  });

  test('is silent where less is', () => {
    expect(flagOf(97.9)).toBeNull();
    expect(flagOf(0)).toBeNull();
  });

  test('counts the time for which the server was charged, between its turns too', () => {
    // 60 ms in each of 2 + 2 s, of 800 and 1,600 ms.
    const blocks = [
      { cpuNs: 5e8, answers: 49_000, chargedNs: 8e8, ns: 2e9 },
      { cpuNs: 5e8, answers: 49_000, chargedNs: 16e8, ns: 2e9 },
    ];
    expect(flagIn(flagsWhen({ blocks, idleNsPerS: 60.001e6 }), 'IDLE_USE')).toMatchObject({
      share: expect.closeTo(0.1, 4),
    });
    expect(flagIn(flagsWhen({ blocks, idleNsPerS: 59.999e6 }), 'IDLE_USE')).toBeNull();
  });
});
