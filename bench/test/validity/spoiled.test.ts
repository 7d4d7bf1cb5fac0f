/** What flags take from a cell: its rank and its verdicts, where they spoil what its load is there for. */
import { expect, test } from 'vitest';
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

/** The same where nothing happened, but that `middle` failed in these launches, of three. */
function recordAfter(...launches: number[]): RunRecord {
  const failure = { server: 'middle/single', when: 'slice', message: '' } as const;
  const failures = launches.map((launch) => ({ ...failure, launch, logTail: [], died: true }));
  return { ...recordWhere({}), failures };
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
const more = { cpuUsPerResponse: 11 };
const KEPT = { published: ALL, cost: ALL, verdicts: SLOWER, valid: true };

test.each([
  { what: 'nothing', record: recordWhere({}), codes: [[], []], ...KEPT },
  {
    what: 'LITTLE',
    record: recordWhere({ latenciesMs: [12] }),
    codes: [['LITTLE'], ['LITTLE']],
    ...KEPT,
  },
  {
    ...{ what: 'IMPOSSIBLE', record: recordWhere(more), codes: [['IMPOSSIBLE'], ['IMPOSSIBLE']] },
    ...{ published: ALL, cost: OTHERS, verdicts: UNTOLD, valid: false },
  },
  {
    ...{ what: 'IMPOSSIBLE under a load that is there for requests/s', ...KEPT },
    ...{ record: recordWhere(more, 'published'), codes: [['IMPOSSIBLE'], []] },
  },
  {
    ...{ what: 'UNSETTLED', record: recordWhere({ hasSettled: false }) },
    ...{ codes: [['UNSETTLED'], ['UNSETTLED']], published: OTHERS, cost: OTHERS },
    // What was measured is not wrong.
    ...{ verdicts: UNTOLD, valid: true },
  },
  {
    ...{ what: 'BAD_RESPONSE', record: recordWhere({ wrongBody: 1 }, 'published') },
    ...{ codes: [['BAD_RESPONSE'], []], published: OTHERS, cost: ALL },
    ...{ verdicts: SLOWER, valid: false },
  },
  {
    ...{ what: 'a failure in one launch', record: recordAfter(1), ...KEPT },
    codes: [
      ['FAILED', 'INCONCLUSIVE'],
      ['FAILED', 'INCONCLUSIVE'],
    ],
  },
  {
    ...{ what: 'a failure in all', record: recordAfter(0, 1, 2), codes: [['FAILED'], ['FAILED']] },
    ...{ published: OTHERS, cost: OTHERS, verdicts: {}, valid: false },
  },
])(
  '$what takes from ranks and verdicts what it spoils',
  ({ record, codes, verdicts, valid, ...places }) => {
    expect(codesIn(record)).toEqual(codes);
    expect(placesUnder('published', record)).toEqual(places.published);
    expect(placesUnder('cost', record)).toEqual(places.cost);
    expect(verdictsIn(record)).toEqual(verdicts);
    expect(isValid(summaryOf(record))).toBe(valid);
  },
);
