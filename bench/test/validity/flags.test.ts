import { describe, expect, test } from 'vitest';
import { type Flag, flagsOf, invalidates, isInvalid, isSpoiled } from '../../src/validity/flags.ts';
import { flagsWhen, HEALTHY, recordOf } from './cells.ts';

describe('a cell', () => {
  test('about which nothing is wrong has no flag', () => {
    expect(flagsWhen({})).toEqual([]);
  });

  test('that was not reached has none', () => {
    const record = recordOf(({ load }) => (load === 'cost' ? null : HEALTHY), {
      options: { launches: 1 },
    });
    const notReached = record.plan.cells.filter(({ load }) => load === 'cost');
    expect(notReached.map((cell) => flagsOf(record, cell))).toEqual([[], [], []]);
  });

  test('may have several, those that make it invalid first', () => {
    const flags = flagsWhen({ timedOut: 1, wrongBody: 1, system: { stealMs: 100 } });
    expect(flags.map((flag) => [flag.code, invalidates(flag).length > 0])).toEqual([
      ['BAD_RESPONSE', true],
      ['CENSORED', false],
      ['NOISY_HOST', false],
    ]);
  });

  test('is judged by its own slices only', () => {
    const record = recordOf(({ target }) => {
      return target === 'top' ? { ...HEALTHY, wrongBody: 1 } : HEALTHY;
    });
    const invalid = record.plan.cells.filter((cell) => {
      return isInvalid(flagsOf(record, cell), 'throughput');
    });
    expect(new Set(invalid.map(({ target }) => target))).toEqual(new Set(['top']));
  });
});

const LITTLE: Flag = { code: 'LITTLE', ratio: 2, low: 0.9, high: 1.1 };
const IMPOSSIBLE: Flag = { code: 'IMPOSSIBLE', usedShare: 1.2, cores: 1 };
const TOPOLOGY: Flag = { code: 'TOPOLOGY', evenness: 0, launch: 0 };
const LEDGER: Flag = { code: 'LEDGER', sent: 10, unaccounted: 5 };
const BAD: Flag = { code: 'BAD_RESPONSE', wrong: 1, answers: 2 };
const UNSETTLED: Flag = { code: 'UNSETTLED', settled: 0, launches: 3 };
const NOT_QUIET: Flag = { code: 'NOT_QUIET', busy: 1, slices: 3 };
const IDLE_USE: Flag = { code: 'IDLE_USE', share: 0.5 };
const ASPECTS = ['throughput', 'latency', 'cpu', 'memory'] as const;

describe('a flag', () => {
  test.each<[Flag, wrong: string[]]>([
    [BAD, ['throughput', 'latency', 'cpu', 'memory']],
    [LEDGER, ['throughput', 'latency', 'cpu']],
    [TOPOLOGY, ['throughput', 'latency']],
    [LITTLE, ['latency']],
    [IMPOSSIBLE, ['cpu']],
  ])('%o makes these figures wrong, and no others', (flag, wrong) => {
    expect(ASPECTS.filter((aspect) => isInvalid([flag], aspect))).toEqual(wrong);
    expect(ASPECTS.filter((aspect) => isSpoiled([flag], aspect))).toEqual(wrong);
  });

  test.each([NOT_QUIET, IDLE_USE])(
    'that only says to be careful leaves all as they are: %o',
    (flag) => {
      expect(ASPECTS.filter((aspect) => isInvalid([flag], aspect))).toEqual([]);
      expect(ASPECTS.filter((aspect) => isSpoiled([flag], aspect))).toEqual([]);
    },
  );

  test('UNSETTLED takes rank and verdict from what it does not make wrong', () => {
    expect(ASPECTS.filter((aspect) => isInvalid([UNSETTLED], aspect))).toEqual([]);
    expect(ASPECTS.filter((aspect) => isSpoiled([UNSETTLED], aspect))).toEqual([
      ...['throughput', 'latency', 'cpu'],
    ]);
  });

  test('among others says the same', () => {
    expect(isInvalid([NOT_QUIET, LITTLE, IDLE_USE], 'latency')).toBe(true);
    expect(isInvalid([NOT_QUIET, LITTLE, IDLE_USE], 'cpu')).toBe(false);
    expect(isInvalid([], 'cpu')).toBe(false);
  });
});
