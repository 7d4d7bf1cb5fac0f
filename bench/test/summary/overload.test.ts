import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../../src/record/record.ts';
import type { OverloadRow } from '../../src/summary/overload.ts';
import { makeClusterRecord, SERVICE_MS } from '../support/make-cluster-record.ts';
import { type Happened, makeRecord, makeTarget, type Story } from '../support/make-record.ts';
import { summariesOf } from '../support/summaries.ts';

function rowsOf(record: RunRecord): OverloadRow[] {
  const { overload } = summariesOf(record);
  if (overload === null) throw new Error('the record has no overload');
  return overload.rows;
}

/** The row of the plain process. */
function rowOf(story: Story): OverloadRow {
  const rows = rowsOf(makeClusterRecord(story));
  const row = rows.find(({ topology }) => topology.id === 'single');
  if (row === undefined) throw new Error('the record has no single process');
  return row;
}

const LAUNCHES = 3;

/** Requests of 100 ms that can all be answered, at 96 ms of CPU; under the overload as told. */
function overloaded(happened: Happened | ((launch: number) => Happened)): Story {
  return ({ load, topology }, launch) => {
    const of = { windowS: 10, cpuUsPerResponse: 96_000 };
    if (load === 'alone') return { ...of, ok: 100, latenciesMs: [SERVICE_MS] };
    if (load === 'feasible') {
      return { ...of, ok: topology === 'single' ? 100 : 200, latenciesMs: [9] };
    }
    return { ...of, ...(typeof happened === 'object' ? happened : happened(launch)) };
  };
}

/** Five that never had an answer, and seven whose clients had left. */
const PUBLISHED: Happened = {
  ...{ ok: 25, latenciesMs: [5000], timedOut: 4, disconnected: 3, wrongStatus: 2, wrongBody: 1 },
  ...{ inFlight: 5, inFlightAgesMs: [1, 2, 3, 4, 5], lostAgesMs: [10_000] },
};
const published = overloaded(PUBLISHED);

describe('what became of requests', () => {
  test('is counted over the windows of all launches, and adds up to what was sent', () => {
    const { outcomes, windowsNs } = rowOf(published);
    expect(windowsNs).toBe(LAUNCHES * 10e9);
    const each = { answered: 75, wrong: 9, timedOut: 12, disconnected: 9, neverAnswered: 15 };
    expect(outcomes).toEqual({ sent: 120, ...each });
    expect(Object.values(each).reduce((sum, count) => sum + count)).toBe(120);
  });

  test('is unknown of those in flight where nobody looked in any one launch', () => {
    const { inFlightAgesMs: _, lostAgesMs: __, ...unseen } = PUBLISHED;
    const { outcomes } = rowOf(overloaded((launch) => (launch === 1 ? unseen : PUBLISHED)));
    expect(outcomes).toMatchObject({ sent: 120, neverAnswered: null });
  });

  test('is nothing where nothing was measured', () => {
    const row = rowOf((...when) => (when[0].load === 'overload' ? null : published(...when)));
    expect(row).toMatchObject({ outcomes: { sent: 0, answered: 0 }, windowsNs: 0 });
    expect(row).toMatchObject({ possible: 0, work: null });
  });
});

describe('what could have been answered', () => {
  test('is the bound of as many processes as find a core, over all windows', () => {
    const rows = rowsOf(makeClusterRecord(published, { topologies: ['single', 2, 8] }));
    // Of 100 ms each in 30 s.
    expect(rows.map(({ topology, possible }) => [topology.id, possible])).toEqual([
      ['single', expect.closeTo(300, 0)],
      ['2', expect.closeTo(600, 0)],
      ['8', expect.closeTo(1200, 0)],
    ]);
  });

  test('is unknown without a service time', () => {
    const row = rowOf((...when) => (when[0].load === 'overload' ? published(...when) : null));
    expect(row).toMatchObject({ possible: null, work: null });
  });
});

describe('the work done', () => {
  const lost = { ok: 25, latenciesMs: [1], timedOut: 75 };

  test('is the CPU time in requests, over those that were answered', () => {
    // The CPU time of 100 requests in each window, of which a quarter were answered.
    const { work } = rowOf(overloaded({ ...lost, cpuUsPerResponse: 384_000 }));
    expect(work?.completions).toBeCloseTo(LAUNCHES * 100, 6);
    expect(work?.perAnswer).toBeCloseTo(4, 9);
  });

  test('is measured by what a request costs in the same topology', () => {
    const story: Story = (cell, ...when) => {
      const happened = overloaded(lost)(cell, ...when);
      const isDearer = cell.topology === '2' && cell.load === 'feasible';
      return happened && { ...happened, ...(isDearer ? { cpuUsPerResponse: 192_000 } : {}) };
    };
    const perAnswer = rowsOf(makeClusterRecord(story)).map(({ work }) => work?.perAnswer);
    expect(perAnswer).toEqual([1, 0.5, 1].map((each) => expect.closeTo(each, 9)));
  });

  test.each([
    { what: 'timed out', lost: { timedOut: 1 }, vain: true },
    { what: 'were lost with their connection', lost: { disconnected: 1 }, vain: true },
    { what: 'were only still under way', lost: { inFlight: 9000 }, vain: false },
    { what: 'were answered otherwise than declared', lost: { wrongBody: 7 }, vain: false },
  ])('was in vain only where requests were given up: some $what', ({ lost, vain }) => {
    const { work } = rowOf(overloaded({ ok: 25, latenciesMs: [1], ...lost }));
    expect(work !== null).toBe(vain);
  });

  test('is unknown where nobody was answered', () => {
    const { work, outcomes } = rowOf(overloaded({ timedOut: 10_000 }));
    expect(work).toBeNull();
    expect(outcomes).toMatchObject({ sent: 30_000, answered: 0, timedOut: 30_000 });
  });
});

test('every topology of every target has a row, in the order of the plan', () => {
  const targets = [makeTarget('b'), makeTarget('a')];
  const rows = rowsOf(makeClusterRecord(published, { targets, topologies: [2, 'single'] }));
  expect(rows.map(({ target, topology }) => `${target.name}/${topology.id}`)).toEqual([
    ...['b/2', 'b/single', 'a/2', 'a/single'],
  ]);
});

test('a server that failed counts nothing, and its row says so', () => {
  const failure = { server: 'fib/2', when: 'slice' as const, message: '', logTail: [], died: true };
  const failures = [0, 1, 2].map((launch) => ({ ...failure, launch }));
  const rows = rowsOf(makeClusterRecord(published, { failures }));
  expect(rows.find(({ topology }) => topology.id === '2')).toMatchObject({
    ...{ summary: { outcome: { state: 'failed' } }, outcomes: { sent: 0 }, work: null },
  });
});

test('there is none in runs without an overload', () => {
  expect(summariesOf(makeRecord({}, () => ({ ok: 5 }))).overload).toBeNull();
});
