import { describe, expect, test } from 'vitest';
import type { Failure, RunRecord } from '../../src/record/record.ts';
import type { OverloadRow, RequestOutcomes } from '../../src/summary/overload.ts';
import { makeClusterRecord, SERVICE_MS } from '../support/make-cluster-record.ts';
import { type Happened, makeRecord, makeTarget, type Story } from '../support/make-record.ts';
import { summariesOf } from '../support/summaries.ts';

function rowsOf(record: RunRecord): OverloadRow[] {
  const { overload } = summariesOf(record);
  if (overload === null) throw new Error('the record has no overload');
  return overload.rows;
}

/** The row of the plain process. */
function rowOf(record: RunRecord): OverloadRow {
  const row = rowsOf(record).find(({ topology }) => topology.id === 'single');
  if (row === undefined) throw new Error('the record has no single process');
  return row;
}

const SERVICE_NS = SERVICE_MS * 1e6;
const LAUNCHES = 3;

/** Requests of 100 ms that can all be answered, at 96 ms of CPU; under the overload as told. */
function overloaded(happened: Happened | ((launch: number) => Happened)): Story {
  return ({ load, topology }, launch) => {
    const of = { windowS: 10, cpuUsPerResponse: 96_000 };
    if (load === 'alone') return { ...of, ok: 100, latenciesMs: [SERVICE_MS] };
    if (load === 'feasible')
      return { ...of, ok: topology === 'single' ? 100 : 200, latenciesMs: [9] };
    return { ...of, ...(typeof happened === 'object' ? happened : happened(launch)) };
  };
}

/** Ten thousand that never had an answer, and ten thousand whose clients had left. */
const PUBLISHED: Happened = {
  ...{ ok: 25, latenciesMs: [5000], timedOut: 4, disconnected: 3, wrongStatus: 2, wrongBody: 1 },
  ...{ inFlight: 5, inFlightAgesMs: [1, 2, 3, 4, 5], lostAgesMs: [10_000] },
};

const total = ({ sent: _, neverAnswered, ...outcomes }: RequestOutcomes) => {
  return Object.values(outcomes).reduce((sum, count) => sum + count, neverAnswered ?? Number.NaN);
};

describe('what became of requests', () => {
  test('is counted over the windows of all launches, and adds up to what was sent', () => {
    const { outcomes, windowsNs } = rowOf(makeClusterRecord(overloaded(PUBLISHED)));
    expect(windowsNs).toBe(LAUNCHES * 10e9);
    const each = { answered: 75, wrong: 9, timedOut: 12, disconnected: 9, neverAnswered: 15 };
    expect(outcomes).toEqual({ sent: 120, ...each });
    expect(total(outcomes)).toBe(outcomes.sent);
  });

  test('is unknown of those in flight where nobody looked in any one launch', () => {
    const { inFlightAgesMs: _, lostAgesMs: __, ...unseen } = PUBLISHED;
    const story = overloaded((launch) => (launch === 1 ? unseen : PUBLISHED));
    expect(rowOf(makeClusterRecord(story)).outcomes).toMatchObject({
      sent: 120,
      neverAnswered: null,
    });
  });

  test('is nothing where nothing was measured', () => {
    const record = makeClusterRecord((cell, ...when) => {
      return cell.load === 'overload' ? null : overloaded(PUBLISHED)(cell, ...when);
    });
    const { outcomes, windowsNs, possible, work } = rowOf(record);
    expect(outcomes).toMatchObject({ sent: 0, answered: 0 });
    expect({ windowsNs, possible, work }).toEqual({ windowsNs: 0, possible: 0, work: null });
  });
});

describe('what could have been answered', () => {
  test('is the bound of as many processes as find a core, over all windows', () => {
    const options = { topologies: ['single', 2, 8] } satisfies Parameters<
      typeof makeClusterRecord
    >[1];
    const rows = rowsOf(makeClusterRecord(overloaded(PUBLISHED), options));
    expect(rows.map(({ topology, possible }) => [topology.id, possible])).toEqual([
      ['single', expect.closeTo(300, 0)],
      ['2', expect.closeTo(600, 0)],
      ['8', expect.closeTo(1200, 0)],
    ]);
    expect(300).toBe((LAUNCHES * 10e9) / SERVICE_NS);
  });

  test('is unknown without a service time', () => {
    const record = makeClusterRecord((cell, ...when) => {
      return cell.load === 'overload' ? overloaded(PUBLISHED)(cell, ...when) : null;
    });
    expect(rowOf(record)).toMatchObject({ possible: null, work: null });
  });
});

describe('the work done', () => {
  test('is the CPU time in requests, over those that were answered', () => {
    // The CPU time of 100 requests in each window, of which a quarter were answered.
    const story = overloaded({
      ok: 25,
      latenciesMs: [5000],
      timedOut: 75,
      cpuUsPerResponse: 384_000,
    });
    const { work } = rowOf(makeClusterRecord(story));
    expect(work?.completions).toBeCloseTo(LAUNCHES * 100, 6);
    expect(work?.perAnswer).toBeCloseTo(4, 9);
  });

  test('is measured by what a request costs in the same topology', () => {
    const story: Story = (cell, ...when) => {
      const happened = overloaded({ ok: 25, timedOut: 75, latenciesMs: [1] })(cell, ...when);
      const isDearer = cell.topology === '2' && cell.load === 'feasible';
      return happened && { ...happened, ...(isDearer ? { cpuUsPerResponse: 192_000 } : {}) };
    };
    const perAnswer = rowsOf(makeClusterRecord(story)).map(({ topology, work }) => {
      return [topology.id, work?.perAnswer];
    });
    expect(perAnswer).toEqual([
      ['single', expect.closeTo(1, 9)],
      ['2', expect.closeTo(0.5, 9)],
      ['4', expect.closeTo(1, 9)],
    ]);
  });

  test.each([
    { what: 'timed out', lost: { timedOut: 1 }, vain: true },
    { what: 'were lost with their connection', lost: { disconnected: 1 }, vain: true },
    { what: 'were only still under way', lost: { inFlight: 9000 }, vain: false },
    { what: 'were answered otherwise than declared', lost: { wrongBody: 7 }, vain: false },
  ])('was in vain only where requests were given up: some $what', ({ lost, vain }) => {
    const { work } = rowOf(makeClusterRecord(overloaded({ ok: 25, latenciesMs: [1], ...lost })));
    expect(work !== null).toBe(vain);
  });

  test('is unknown where nobody was answered', () => {
    const { work, outcomes } = rowOf(makeClusterRecord(overloaded({ timedOut: 10_000 })));
    expect(work).toBeNull();
    expect(outcomes).toMatchObject({ sent: 30_000, answered: 0, timedOut: 30_000 });
  });
});

describe('the rows', () => {
  test('are every topology of every target, in the order of the plan', () => {
    const targets = [makeTarget('b'), makeTarget('a')];
    const rows = rowsOf(
      makeClusterRecord(overloaded(PUBLISHED), { targets, topologies: [2, 'single'] }),
    );
    expect(rows.map(({ target, topology }) => `${target.name}/${topology.id}`)).toEqual([
      'b/2',
      'b/single',
      'a/2',
      'a/single',
    ]);
  });

  test('of a server that failed count nothing, and say so', () => {
    const failures = [0, 1, 2].map((launch): Failure => {
      return { server: 'fib/2', launch, when: 'slice', message: '', logTail: [], died: true };
    });
    const rows = rowsOf(makeClusterRecord(overloaded(PUBLISHED), { failures }));
    const failed = rows.find(({ topology }) => topology.id === '2');
    expect(failed?.summary.outcome.state).toBe('failed');
    expect(failed).toMatchObject({ outcomes: { sent: 0 }, work: null });
  });
});

test('there is none in runs without an overload', () => {
  expect(summariesOf(makeRecord({}, () => ({ ok: 5 }))).overload).toBeNull();
});
