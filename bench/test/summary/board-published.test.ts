import { describe, expect, test } from 'vitest';
import { pointOf } from '../../src/math/statistics.ts';
import { summarizeBoard } from '../../src/summary/board.ts';
import type { PublishedBoardTable } from '../../src/summary/board-published.ts';
import { publishedBoard } from '../../src/summary/board-reported.ts';
import { summarizeConditions } from '../../src/summary/conditions.ts';
import { makeBoardRecord } from '../support/make-board-record.ts';

function tableOf(...asked: Parameters<typeof makeBoardRecord>): PublishedBoardTable {
  const record = makeBoardRecord(...asked);
  const { published } = summarizeBoard(record, summarizeConditions(record));
  if (published === null) throw new Error('nothing published was measured');
  return published;
}

describe('what was published', () => {
  test('is of both paths at three numbers of connections, in bytes', () => {
    const { results, source, cpu, claims } = publishedBoard();
    const places = results.map(({ path, connections }) => `${path} ${connections}`);
    const levels = [10, 50, 100];
    expect(places).toEqual([
      ...levels.map((n) => `/home ${n}`),
      ...levels.map((n) => `/latest ${n}`),
    ]);
    for (const { go, bun } of results) {
      expect(go.peakBytes).toBeGreaterThan(10e6);
      expect(bun.requestsPerSecond).toBeGreaterThan(10);
    }
    expect(source).toMatch(/\w{5}/);
    expect(cpu).toMatch(/\w{3}/);
    expect(claims.length).toBeGreaterThan(0);
  });
});

describe('beside what was measured', () => {
  test('stands every figure, of what was published on each path, Go on all its cores', () => {
    const { rows } = tableOf();
    const places = rows.map(({ target, topology, connections }) => {
      return `${target.name} ${topology.names.join()} ${connections}`;
    });
    expect(places).toEqual([
      ...[10, 50, 100].flatMap((n) => [`fiber-home max ${n}`, `elysia-home single ${n}`]),
      ...[10, 50, 100].flatMap((n) => [
        `fiber-published-latest max ${n}`,
        `elysia-published-latest single ${n}`,
      ]),
    ]);
    const latest = rows.find(({ target }) => target.name === 'elysia-published-latest');
    expect(latest?.published).toEqual({ requestsPerSecond: 101.45, peakBytes: 142.5e6 });
    expect(pointOf(latest?.throughput ?? { kind: 'none' })).toBeCloseTo(1000 / 47, 0);
    expect(pointOf(latest?.peakBytes ?? { kind: 'none' })).toBeCloseTo(105e6, 0);
  });

  test('stand Go figures of single processes where there are no others', () => {
    const { rows } = tableOf({ options: { topologies: ['single'] } });
    expect(new Set(rows.map(({ topology }) => topology.id))).toEqual(new Set(['single']));
    expect(rows).toHaveLength(12);
  });

  test('stand the ratios of Bun to Go, of rate and of memory', () => {
    const { ratios } = tableOf();
    expect(ratios).toHaveLength(12);
    const [rate, memory] = ratios.filter(({ path, connections }) => {
      return path === '/latest' && connections === 10;
    });
    expect(rate).toMatchObject({ what: 'requests/s', published: 101.45 / 70.98 });
    expect(pointOf(rate?.measured ?? { kind: 'none' })).toBeCloseTo(21 / 33, 1);
    expect(memory).toMatchObject({ what: 'peak memory', published: 142.5 / 35 });
    expect(pointOf(memory?.measured ?? { kind: 'none' })).toBeCloseTo(105 / 25, 5);
  });

  test('stands nothing of other numbers of connections', () => {
    const { rows } = tableOf({ options: { connections: 60 } });
    expect(new Set(rows.map(({ connections }) => connections))).toEqual(new Set([10, 50]));
    const record = makeBoardRecord({ options: { connections: 4 } });
    expect(summarizeBoard(record, summarizeConditions(record)).published).toBeNull();
  });

  test('stand no ratios where one of the two was not measured', () => {
    const { rows, ratios } = tableOf({
      change: (happened, name) => (name.startsWith('elysia') ? null : happened),
    });
    expect(rows.length).toBe(6);
    expect(ratios).toEqual([]);
  });
});

test('the peak of a launch is its largest reading', () => {
  const record = makeBoardRecord({
    change: (happened, name) => (name === 'fiber' ? { ...happened, peakBytes: 20e6 } : happened),
  });
  for (const slice of record.slices) {
    if (slice.round === 1 && slice.measurement.peak)
      slice.measurement.peak.server += 2e6 + slice.launch;
  }
  const { levels } = summarizeBoard(record, summarizeConditions(record));
  const row = levels
    .find(({ path, load }) => path === '/latest' && load.connections === 10)
    ?.rows.find(({ summary, topology }) => {
      return summary.target.name === 'fiber-latest' && topology.id === 'single';
    });
  const outcome = row?.summary.outcome;
  if (outcome?.state !== 'measured') throw new Error('not measured');
  expect(outcome.figures.peakMemory).toMatchObject({ kind: 'interval', value: 22e6 + 1 });
});
