import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../../src/record/record.ts';
import type { OverloadRow } from '../../src/summary/scaling.ts';
import { failuresOf } from '../support/failures.ts';
import { makeClusterRecord, SERVICE_MS } from '../support/make-cluster-record.ts';
import { type Happened, makeRecord, makeTarget, type Story } from '../support/make-record.ts';
import { summariesOf } from '../support/summaries.ts';

function rowsOf(record: RunRecord): OverloadRow[] {
  const { overload } = summariesOf(record);
  if (overload === null) throw new Error('the record has no overload');
  return overload.rows;
}

function rowOf(story: Story, id = 'single', parts: Parameters<typeof makeClusterRecord>[1] = {}) {
  const row = rowsOf(makeClusterRecord(story, parts)).find(({ topology }) => topology.id === id);
  if (row === undefined) throw new Error(`the record has no ${id}`);
  return row;
}

const LAUNCHES = 3;

/** Requests of 100 ms that can all be answered, at 96 ms of CPU; under the overload as given. */
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

describe('the outcomes of requests', () => {
  test('are counted over the windows of all launches, and add up to what was sent', () => {
    const { outcomes, windowsNs } = rowOf(published);
    expect(windowsNs).toBe(LAUNCHES * 10e9);
    const each = { answered: 75, wrong: 9, timedOut: 12, disconnected: 9, neverAnswered: 15 };
    expect(outcomes).toEqual({ sent: 120, ...each });
    expect(Object.values(each).reduce((sum, count) => sum + count)).toBe(120);
  });

  test('are unknown for those in flight if they were not recorded in any one launch', () => {
    const { inFlightAgesMs: _, lostAgesMs: __, ...unseen } = PUBLISHED;
    const { outcomes } = rowOf(overloaded((launch) => (launch === 1 ? unseen : PUBLISHED)));
    expect(outcomes).toMatchObject({ sent: 120, neverAnswered: null });
  });

  test('are none if nothing was measured, or the server failed', () => {
    const none = { outcomes: { sent: 0, answered: 0 }, windowsNs: 0, workPerAnswer: null };
    const row = rowOf((...when) => (when[0].load === 'overload' ? null : published(...when)));
    expect(row).toMatchObject({ ...none, possible: 0 });
    const failed = rowOf(published, '2', { failures: failuresOf('fib/2') });
    expect(failed).toMatchObject({ ...none, summary: { outcome: { state: 'failed' } } });
  });
});

describe('the most that could be answered', () => {
  test('is the bound of as many processes as find a core, over all windows', () => {
    const rows = rowsOf(makeClusterRecord(published, { topologies: ['single', 2, 8] }));
    // Of 100 ms each in 30 s.
    const found = rows.map(({ topology, possible }) => [topology.id, Math.round(possible ?? 0)]);
    expect(found).toEqual([
      ['single', 300],
      ['2', 600],
      ['8', 1200],
    ]);
  });

  test('is unknown without a service time', () => {
    const row = rowOf((...when) => (when[0].load === 'overload' ? published(...when) : null));
    expect(row).toMatchObject({ possible: null, workPerAnswer: null });
  });
});

describe('the work per answer', () => {
  const lost = { ok: 25, latenciesMs: [1], timedOut: 75 };

  test('is the CPU time in requests, over those that were answered', () => {
    // The CPU time of 100 requests in each window, of which a quarter were answered.
    const { workPerAnswer } = rowOf(overloaded({ ...lost, cpuUsPerResponse: 384_000 }));
    expect(workPerAnswer).toBeCloseTo(4, 9);
  });

  test('is measured by what a request costs in the same topology', () => {
    const story: Story = (cell, ...when) => {
      const happened = overloaded(lost)(cell, ...when);
      const isDearer = cell.topology === '2' && cell.load === 'feasible';
      return happened && { ...happened, ...(isDearer ? { cpuUsPerResponse: 192_000 } : {}) };
    };
    const found = rowsOf(makeClusterRecord(story)).map(({ workPerAnswer }) => workPerAnswer);
    expect(found).toEqual([1, 0.5, 1].map((each) => expect.closeTo(each, 9)));
  });

  test.each([
    { what: 'timed out', lost: { timedOut: 1 }, vain: true },
    { what: 'were lost with their connection', lost: { disconnected: 1 }, vain: true },
    { what: 'were only still under way', lost: { inFlight: 9000 }, vain: false },
    { what: 'were answered otherwise than declared', lost: { wrongBody: 7 }, vain: false },
    { what: 'timed out, and none was answered', lost: { ok: 0, timedOut: 10_000 }, vain: false },
  ])('is only known if requests were given up: some $what', ({ lost, vain }) => {
    const { workPerAnswer } = rowOf(overloaded({ ok: 25, latenciesMs: [1], ...lost }));
    expect(workPerAnswer !== null).toBe(vain);
  });
});

test('every topology of every target has a row, in the order of the plan', () => {
  const targets = [makeTarget('b'), makeTarget('a')];
  const rows = rowsOf(makeClusterRecord(published, { targets, topologies: [2, 'single'] }));
  const found = rows.map(({ target, topology }) => `${target.name}/${topology.id}`);
  expect(found.join(' ')).toBe('b/2 b/single a/2 a/single');
});

test('there is none in runs without an overload', () => {
  expect(summariesOf(makeRecord({}, () => ({ ok: 5 }))).overload).toBeNull();
});
