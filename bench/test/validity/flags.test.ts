/** What flags take from a cell: its rank and its verdicts, where they spoil what its load is there for. */
import { expect, test } from 'vitest';
import type { Cell } from '../../src/plan/plan.ts';
import type { RunRecord } from '../../src/record/record.ts';
import { summarizeOverheads } from '../../src/summary/comparisons.ts';
import { isValid } from '../../src/summary/summary.ts';
import { contextOf } from '../../src/validity/context.ts';
import { type Flag, flagsOf, invalidates, isInvalid, isSpoiled } from '../../src/validity/flags.ts';
import { failuresOf } from '../support/failures.ts';
import type { Happened } from '../support/make-record.ts';
import { conditionUnder, summaryOf } from '../support/summaries.ts';
import { flagsWhen, HEALTHY, recordOf } from './cells.ts';

test('a cell about which nothing is wrong has no flag, nor has one that was not reached', () => {
  expect(flagsWhen({})).toEqual([]);
  const record = recordOf(({ load }) => (load === 'cost' ? null : HEALTHY));
  const notReached = record.plan.cells.filter(({ load }) => load === 'cost');
  expect(notReached.map((cell) => flagsOf(contextOf(record, cell)))).toEqual([[], [], []]);
});

test('a cell may have several, those that make it invalid first', () => {
  const flags = flagsWhen({ timedOut: 1, wrongBody: 1, system: { stealMs: 100 } });
  expect(flags.map(({ code }) => code)).toEqual(['BAD_RESPONSE', 'CENSORED', 'NOISY_HOST']);
  expect(flags.map((flag) => invalidates(flag).length > 0)).toEqual([true, false, false]);
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

/** Each dearer than what it is built on, and slower. */
const USUAL: Record<string, Happened> = {
  floor: { ok: 98_000, cpuUsPerResponse: 9, latenciesMs: [1000 / 98] },
  middle: { ok: 95_000, cpuUsPerResponse: 9.5, latenciesMs: [1000 / 95] },
  top: { ok: 92_000, cpuUsPerResponse: 10, latenciesMs: [1000 / 92] },
};

/** A record in which this happened to the cells of `middle`, or to that under one load. */
function recordWhere(happened: Happened, only: string | null = null): RunRecord {
  return recordOf(({ target, load }) => {
    const isIt = target === 'middle' && (only === null || only === load);
    return { ...HEALTHY, ...USUAL[target], ...(isIt ? happened : {}) };
  });
}

/** The same where nothing happened, but that `middle` failed in these launches, of three. */
function recordAfter(...launches: number[]): RunRecord {
  return { ...recordWhere({}), failures: failuresOf('middle/single', launches) };
}

/** The place of floor, middle and top under a load, those without one as a dash. */
function placesUnder(load: string, record: RunRecord): string {
  const { cells } = conditionUnder(record, load);
  const places = new Map(cells.map(({ target, rank }) => [target.name, rank?.place]));
  return Object.keys(USUAL)
    .map((name) => places.get(name) ?? '–')
    .join(' ');
}

function verdictsIn(record: RunRecord): string {
  const { rows = [] } = summarizeOverheads(summaryOf(record)) ?? {};
  const verdicts = rows.map(({ target, comparison }) => `${target.name} ${comparison.verdict}`);
  return verdicts.sort().join(', ');
}

/** The codes of the flags of `middle` under the published load, and under the cost load. */
function codesIn(record: RunRecord): string {
  const own = record.plan.cells.filter(({ target, load }) => target === 'middle' && load !== 'low');
  const codesOf = (cell: Cell) => flagsOf(contextOf(record, cell)).map(({ code }) => code);
  return own.map((cell) => codesOf(cell).join(' ')).join(', ');
}

const [ALL, OTHERS] = ['1 2 3', '1 – 2'];
const SLOWER = 'middle slower, top slower';
const UNTOLD = "middle can't tell, top can't tell";
const more = { cpuUsPerResponse: 11 };

type Kept = [published: string, cost: string, verdicts: string, isValid: boolean];

test.each<[what: string, RunRecord, codes: string, ...Kept]>([
  ['nothing', recordWhere({}), ', ', ALL, ALL, SLOWER, true],
  ['wrong latency', recordWhere({ latenciesMs: [12] }), 'LITTLE, LITTLE', ALL, ALL, SLOWER, true],
  ['wrong CPU', recordWhere(more), 'IMPOSSIBLE, IMPOSSIBLE', ALL, OTHERS, UNTOLD, false],
  // Under that load requests/s count.
  ['wrong CPU, published', recordWhere(more, 'published'), 'IMPOSSIBLE, ', ALL, ALL, SLOWER, true],
  // What was measured is not wrong.
  [
    ...(['a start that has not settled', recordWhere({ hasSettled: false })] as const),
    ...(['UNSETTLED, UNSETTLED', OTHERS, OTHERS, UNTOLD, true] as const),
  ],
  [
    ...(['a wrong answer', recordWhere({ wrongBody: 1 }, 'published')] as const),
    ...(['BAD_RESPONSE, ', OTHERS, ALL, SLOWER, false] as const),
  ],
  [
    ...(['a failure in one launch', recordAfter(1)] as const),
    // Two launches in common are too few to tell it from the floor.
    ...(['FAILED INCONCLUSIVE, FAILED INCONCLUSIVE', '1 1 3', '1 1 3', UNTOLD, true] as const),
  ],
  ['a failure in all', recordAfter(0, 1, 2), 'FAILED, FAILED', OTHERS, OTHERS, '', false],
])('%s takes from ranks and verdicts what it spoils', (_, record, codes, ...kept) => {
  expect(codesIn(record)).toBe(codes);
  const places = [placesUnder('published', record), placesUnder('cost', record)];
  expect([...places, verdictsIn(record), isValid(summaryOf(record))]).toEqual(kept);
});
