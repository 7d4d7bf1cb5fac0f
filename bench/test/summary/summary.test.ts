import { expect, test } from 'vitest';
import type { Figures } from '../../src/figures/figures.ts';
import type { RunRecord } from '../../src/record/record.ts';
import { around, flat, NONE, near } from '../support/estimates.ts';
import { type Happened, makeRecord, makeTarget, type Story } from '../support/make-record.ts';
import { conditionUnder, present, summariesOf, summaryOf } from '../support/summaries.ts';

function figuresOf(record: RunRecord, id: string): Figures {
  const cells = summaryOf(record).conditions.flatMap((condition) => condition.cells);
  return present(cells.find(({ cell }) => cell.id === id)?.figures, id);
}

test.each<[string, Happened, load: string, found: object]>([
  [
    'the answers as declared per second of the window, and all bytes',
    { ok: 300, wrongStatus: 40, wrongBody: 60, windowS: 2, bytesPerResponse: 100 },
    'published',
    {
      ...{ throughput: flat(150), bytesPerSecond: flat(20_000), bytesPerResponse: 100 },
      ...{ slices: 6, ok: 1800, bytes: 240_000 },
      perSlice: { throughput: [150, 150, 150, 150, 150, 150] },
    },
  ],
  [
    'errors and time-outs apart, and what was answered of what was sent',
    { ok: 5, wrongStatus: 1, wrongBody: 2, disconnected: 3, timedOut: 4, inFlight: 10 },
    'published',
    { errors: 36, timeouts: 24, answered: { ok: 30, sent: 150 } },
  ],
  [
    'without a response no CPU for each, no size of each, and a latency above all',
    { timedOut: 9 },
    'cost',
    {
      ...{ throughput: flat(0), cpuPerRequest: NONE, timesFloor: NONE, bytesPerResponse: null },
      latency: { p50: { kind: 'above', ns: 10e9 } },
    },
  ],
])('a cell has %s', (_, floor, load, found) => {
  const record = makeRecord({}, ({ target }) => (target === 'floor' ? floor : {}));
  expect(figuresOf(record, `floor/single/${load}`)).toMatchObject(found);
});

test('a cell has figures from the sums of a launch, their mean over launches, and median memory', () => {
  const record = makeRecord({}, (_cell, launch, round) => ({
    ok: [100, 300, 200][round] ?? 0,
    cpuUsPerResponse: [10, 20, 40][round] ?? 0,
    windowS: 1 + launch,
    ...{ serverBytes: [80e6, 500e6, 90e6][round] ?? 0, managerBytes: 2e6 },
  }));
  expect(figuresOf(record, 'top/single/published')).toMatchObject({
    // 600 requests in 3 s, and in 6 s: 200 and 100 requests/s, ± 12.7062 × 50.
    throughput: around(150, 635.31, 2),
    // (100 × 10 + 300 × 20 + 200 × 40) / 600 = 25 µs.
    cpuPerRequest: flat(25_000),
    memory: { server: 90e6, manager: 2e6 },
  });
});

/** CPU µs per request, round by round: the machine is slow in the last one. The cost load is in the first one only. */
const ROUNDS: Record<string, number[]> = { floor: [10, 20, 90], middle: [12, 25, 80] };
const unevenly: Story = ({ target }, _launch, round) => {
  return { ok: 100, cpuUsPerResponse: ROUNDS[target]?.[round] ?? 50 };
};

test('what is built on something is compared with the floor by the sums of launches', () => {
  const record = makeRecord({}, unevenly);
  // 12 + 25 + 80 over 10 + 20 + 90.
  expect(figuresOf(record, 'middle/single/published').timesFloor).toEqual(near(117 / 120));
  expect(figuresOf(record, 'floor/single/published').timesFloor).toEqual(near(1));
});

test('what is built on something is read as single processes if there is no cost load', () => {
  const options = { contiguous: true, sliceS: 6, topologies: [2, 'single' as const] };
  const { overheads } = summariesOf(makeRecord({ options }, unevenly));
  expect(overheads?.condition.topology.id).toBe('single');
});

test('two share a rank where the generator may have kept the slower one from answering more', () => {
  const speeds: Record<string, number> = { a: 1000, b: 4000, c: 3000, d: 2000 };
  const targets = Object.keys(speeds).map((name) => makeTarget(name));
  const record = makeRecord(
    { options: { launches: 4, durationS: 12 }, targets },
    (cell, launch) => {
      // Small beside the differences between the targets.
      const wobble = 1 + ([0, 1, -1, 0.5][launch] ?? 0) / 1000;
      const ok = Math.round((speeds[cell.target] ?? 0) * wobble);
      const busy = { all: 100, empty: 0, idleNs: 0 };
      const turns = cell.target === 'c' ? busy : { all: 400_000, empty: 250_000, idleNs: 2e8 };
      // 1,000 requests are under way, so this is what each takes.
      return { ok, latenciesMs: [1e6 / ok], turns };
    },
  );
  const found = conditionUnder(record, 'published').cells.map(({ target, rank }) => {
    return `${target.name} ${rank?.place}${rank?.tied ? '=' : ''}`;
  });
  expect(found).toEqual(['b 1=', 'c 1=', 'd 3', 'a 4']);
});
