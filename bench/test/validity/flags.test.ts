import { describe, expect, test } from 'vitest';
import { flagsOf, isInvalid, severityOf } from '../../src/validity/flags.ts';
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
    expect(flags.map((flag) => [flag.code, severityOf(flag)])).toEqual([
      ['BAD_RESPONSE', 'invalid'],
      ['CENSORED', 'caution'],
      ['NOISY_HOST', 'caution'],
    ]);
  });

  test('is judged by its own slices only', () => {
    const record = recordOf(({ target }) => {
      return target === 'top' ? { ...HEALTHY, wrongBody: 1 } : HEALTHY;
    });
    const invalid = record.plan.cells.filter((cell) => isInvalid(flagsOf(record, cell)));
    expect(new Set(invalid.map(({ target }) => target))).toEqual(new Set(['top']));
  });
});

test('cautions alone do not make a cell invalid', () => {
  expect(isInvalid([])).toBe(false);
  expect(isInvalid(flagsWhen({ timedOut: 1, system: { stealMs: 100 } }))).toBe(false);
  expect(isInvalid(flagsWhen({ timedOut: 1, wrongBody: 1 }))).toBe(true);
});
