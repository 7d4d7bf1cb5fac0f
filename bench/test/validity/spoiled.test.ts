/** What flags take from a cell: its rank and its verdicts, where they spoil what its load is there for. */
import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../../src/record/record.ts';
import { summarizeOverheads } from '../../src/summary/comparisons.ts';
import { isValid } from '../../src/summary/summary.ts';
import { flagsOf } from '../../src/validity/flags.ts';
import type { Happened } from '../support/make-record.ts';
import { summaryOf } from '../support/summaries.ts';
import { HEALTHY, recordOf } from './cells.ts';

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

/** The place of each target under a load. */
function placesUnder(load: string, record: RunRecord): Record<string, number | null> {
  const condition = summaryOf(record).conditions.find((each) => each.load.id === load);
  const cells = condition?.cells ?? [];
  return Object.fromEntries(cells.map(({ target, rank }) => [target.name, rank?.place ?? null]));
}

/** What is said of each target beside the one that it is built on. */
function verdictsIn(record: RunRecord): Record<string, string> {
  const { rows = [] } = summarizeOverheads(record, summaryOf(record).conditions) ?? {};
  return Object.fromEntries(
    rows.map(({ target, comparison }) => [target.name, comparison.verdict]),
  );
}

/** The codes of the flags of `middle` under the published load and the cost load. */
function codesIn(record: RunRecord): string[][] {
  const own = record.plan.cells.filter(({ target, load }) => target === 'middle' && load !== 'low');
  return own.map((cell) => flagsOf(record, cell).map(({ code }) => code));
}

const ALL = { floor: 1, middle: 2, top: 3 };
const OTHERS = { floor: 1, middle: null, top: 2 };
const SLOWER = { middle: 'slower', top: 'slower' };
const UNTOLD = { middle: "can't tell", top: "can't tell" };

test('where nothing is spoiled all have a rank and a verdict', () => {
  const record = recordWhere({});
  expect(codesIn(record)).toEqual([[], []]);
  expect(placesUnder('published', record)).toEqual(ALL);
  expect(placesUnder('cost', record)).toEqual(ALL);
  expect(verdictsIn(record)).toEqual(SLOWER);
  expect(isValid(summaryOf(record))).toBe(true);
});

test('LITTLE, which spoils the latency, takes no rank and no verdict of requests/s and CPU', () => {
  const record = recordWhere({ latenciesMs: [12] });
  expect(codesIn(record)).toEqual([['LITTLE'], ['LITTLE']]);
  expect(placesUnder('published', record)).toEqual(ALL);
  expect(placesUnder('cost', record)).toEqual(ALL);
  expect(verdictsIn(record)).toEqual(SLOWER);
  expect(isValid(summaryOf(record))).toBe(true);
});

describe('IMPOSSIBLE, which spoils CPU time', () => {
  const more = { cpuUsPerResponse: 11 };

  test('takes the rank under the cost load, and the verdicts, and no other rank', () => {
    const record = recordWhere(more);
    expect(codesIn(record)).toEqual([['IMPOSSIBLE'], ['IMPOSSIBLE']]);
    expect(placesUnder('cost', record)).toEqual(OTHERS);
    expect(placesUnder('published', record)).toEqual(ALL);
    expect(verdictsIn(record)).toEqual(UNTOLD);
    expect(isValid(summaryOf(record))).toBe(false);
  });

  test('under a load that is there for requests/s takes nothing', () => {
    const record = recordWhere(more, 'published');
    expect(codesIn(record)).toEqual([['IMPOSSIBLE'], []]);
    expect(placesUnder('published', record)).toEqual(ALL);
    expect(placesUnder('cost', record)).toEqual(ALL);
    expect(verdictsIn(record)).toEqual(SLOWER);
    expect(isValid(summaryOf(record))).toBe(true);
  });
});

test('UNSETTLED takes ranks and verdicts, but what was measured is not wrong', () => {
  const record = recordWhere({ hasSettled: false });
  expect(codesIn(record)).toEqual([['UNSETTLED'], ['UNSETTLED']]);
  expect(placesUnder('published', record)).toEqual(OTHERS);
  expect(placesUnder('cost', record)).toEqual(OTHERS);
  expect(verdictsIn(record)).toEqual(UNTOLD);
  expect(isValid(summaryOf(record))).toBe(true);
});

test('BAD_RESPONSE spoils everything', () => {
  const record = recordWhere({ wrongBody: 1 }, 'published');
  expect(placesUnder('published', record)).toEqual(OTHERS);
  expect(placesUnder('cost', record)).toEqual(ALL);
  expect(isValid(summaryOf(record))).toBe(false);
});

describe('a server that failed', () => {
  /** One that failed in these launches, of three. */
  const after = (...launches: number[]) => {
    const record = recordWhere({});
    const failure = { server: 'middle/single', when: 'slice', message: '' } as const;
    const failures = launches.map((launch) => ({ ...failure, launch, logTail: [], died: true }));
    return { ...record, failures };
  };

  test('in one launch keeps its rank and its verdict by the others', () => {
    const record = after(1);
    expect(placesUnder('cost', record)).toEqual(ALL);
    expect(verdictsIn(record)).toEqual(SLOWER);
    expect(isValid(summaryOf(record))).toBe(true);
  });

  test('in all has none, and the run is not valid', () => {
    const record = after(0, 1, 2);
    expect(placesUnder('cost', record)).toEqual(OTHERS);
    expect(verdictsIn(record)).toEqual({});
    expect(isValid(summaryOf(record))).toBe(false);
  });
});
