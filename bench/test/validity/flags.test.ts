import { describe, expect, test } from 'vitest';
import { contextOf } from '../../src/validity/context.ts';
import { type Flag, flagsOf, invalidates, isInvalid, isSpoiled } from '../../src/validity/flags.ts';
import { flagsWhen, HEALTHY, recordOf } from './cells.ts';

describe('a cell', () => {
  test('about which nothing is wrong has no flag, nor has one that was not reached', () => {
    expect(flagsWhen({})).toEqual([]);
    const record = recordOf(({ load }) => (load === 'cost' ? null : HEALTHY));
    const notReached = record.plan.cells.filter(({ load }) => load === 'cost');
    expect(notReached.map((cell) => flagsOf(contextOf(record, cell)))).toEqual([[], [], []]);
  });

  test('may have several, those that make it invalid first', () => {
    const flags = flagsWhen({ timedOut: 1, wrongBody: 1, system: { stealMs: 100 } });
    expect(flags.map(({ code }) => code)).toEqual(['BAD_RESPONSE', 'CENSORED', 'NOISY_HOST']);
    expect(flags.map((flag) => invalidates(flag).length > 0)).toEqual([true, false, false]);
  });
});

const LITTLE: Flag = { code: 'LITTLE', ratio: 2, low: 0.9, high: 1.1 };
const NOT_QUIET: Flag = { code: 'NOT_QUIET', busy: 1, slices: 3 };
const IDLE_USE: Flag = { code: 'IDLE_USE', share: 0.5 };
const ASPECTS = ['throughput', 'latency', 'cpu', 'memory'] as const;

test.each<[Flag[], wrong: string, spoiled?: string]>([
  [[{ code: 'BAD_RESPONSE', wrong: 1, answers: 2 }], 'throughput latency cpu memory'],
  [[{ code: 'LEDGER', sent: 10, unaccounted: 5 }], 'throughput latency cpu'],
  [[{ code: 'TOPOLOGY', evenness: 0, launch: 0 }], 'throughput latency'],
  [[LITTLE], 'latency'],
  [[{ code: 'IMPOSSIBLE', usedShare: 1.2, cores: 1 }], 'cpu'],
  [[NOT_QUIET], ''],
  [[IDLE_USE], ''],
  // It takes rank and verdict from what it does not make wrong.
  [[{ code: 'UNSETTLED', settled: 0, launches: 3 }], '', 'throughput latency cpu'],
  [[NOT_QUIET, LITTLE, IDLE_USE], 'latency'],
  [[], ''],
])('%o make these figures wrong, and take their rank and verdict: %j', (flags, wrong, spoiled) => {
  expect(ASPECTS.filter((aspect) => isInvalid(flags, aspect)).join(' ')).toBe(wrong);
  expect(ASPECTS.filter((aspect) => isSpoiled(flags, aspect)).join(' ')).toBe(spoiled ?? wrong);
});
