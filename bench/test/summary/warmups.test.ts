import { describe, expect, test } from 'vitest';
import type { RunRecord, Warmup } from '../../src/record/record.ts';
import { summarizeWarmups } from '../../src/summary/warmups.ts';
import { makeRecord } from '../support/make-record.ts';

/** A start of this server that took so long, of batches with so many answers. */
function warmupOf(
  ns: number,
  answers: number[],
  {
    server = 'floor/single',
    outcome = 'settled',
  }: Partial<Pick<Warmup, 'server' | 'outcome'>> = {},
): Warmup {
  const batches = answers.map((each) => {
    return { asked: null, answers: each, ns: ns / answers.length, cpuNs: 0, bytes: 0 };
  });
  return { server, launch: 0, batches, ns, outcome };
}

function recordOf(warmups: Warmup[], parts: Partial<RunRecord['plan']> = {}): RunRecord {
  const record = makeRecord({ options: { warmupS: 3 }, warmups }, () => null);
  return { ...record, plan: { ...record.plan, ...parts } };
}

describe('the warm-ups of a run', () => {
  test('settled in the time and the requests of the median start', () => {
    const warmups = [warmupOf(1e9, [100, 100]), warmupOf(2e9, [500]), warmupOf(9e8, [50, 60, 70])];
    expect(summarizeWarmups(recordOf(warmups))).toEqual({
      starts: 3,
      settled: { ns: 1e9, requests: 200 },
      capped: null,
    });
  });

  test('name each server once that had not settled, and leave it out of the median', () => {
    const late = (server: string) => warmupOf(3e9, [9000], { server, outcome: 'capped' });
    const warmups = [late('top/single'), warmupOf(1e9, [70]), late('top/single'), late('middle/2')];
    expect(summarizeWarmups(recordOf(warmups))).toEqual({
      starts: 4,
      settled: { ns: 1e9, requests: 70 },
      capped: { starts: 3, capNs: 3e9, servers: ['top/single', 'middle/2'] },
    });
  });

  test('have no median where none settled', () => {
    const found = summarizeWarmups(recordOf([warmupOf(3e9, [5], { outcome: 'capped' })]));
    expect(found).toMatchObject({ starts: 1, settled: null, capped: { starts: 1 } });
  });

  test('came to nothing where there were none, or nobody looked', () => {
    expect(summarizeWarmups(recordOf([]))).toBeNull();
    expect(summarizeWarmups(recordOf([], { warmup: { kind: 'none' } }))).toBeNull();
    expect(summarizeWarmups(recordOf([], { warmup: { kind: 'timed', ns: 3e9 } }))).toBeNull();
  });
});
