import { describe, expect, test } from 'vitest';
import type { RunOptions } from '../../src/request/run-options.ts';
import { makeMachine, makeRecord, STACK } from '../support/make-record.ts';
import { summariesOf } from '../support/summaries.ts';

const SPEEDS: Record<string, number> = { single: 100, '2': 150, '4': 300 };

/** A machine that is twice as fast in launches and rounds with an odd number. */
const pace = (launch: number, round: number) => 1 + ((launch + round) % 2);

/** A record in which throughput depends on the topology and the pace of the machine. */
function recordOf(options: Partial<RunOptions>, machine = makeMachine(), targets = STACK) {
  return makeRecord({ options, machine, targets }, ({ target, topology }, launch, round) => ({
    ok: (SPEEDS[topology] ?? 0) * pace(launch, round) * (target === 'top' ? 0.5 : 1),
  }));
}

const near = (value: number) => {
  const close = expect.closeTo(value, 6);
  return { kind: 'interval', value: close, low: close, high: close };
};

describe('topologies', () => {
  test('are compared with the single process within launches, under the main load', () => {
    const options = { launches: 4, durationS: 12 };
    const record = recordOf({ ...options, topologies: [2, 'single', 'max'] });
    const { topologies } = summariesOf(record);
    expect(topologies?.load.id).toBe('published');
    expect(topologies?.rows.map(({ target }) => target.name)).toEqual(['floor', 'middle', 'top']);
    for (const { target, entries } of topologies?.rows ?? []) {
      expect(entries.map(({ topology }) => topology.id)).toEqual(['2', 'single', '4']);
      // Three rounds are 4/3 times as fast as usual on average, or 5/3 in every other launch, so differences are those
      // times as large: s = (5/3 − 4/3) / √3 and half = t(0.975, 3) × s / √4 of the usual one. The ratio is the same
      // in all of them.
      const faster = (usual: number, ratio: number) => ({
        ratio: near(ratio),
        difference: {
          kind: 'interval',
          value: expect.closeTo(1.5 * usual, 6),
          low: expect.closeTo((1.5 - 0.3062305) * usual, 3),
          high: expect.closeTo((1.5 + 0.3062305) * usual, 3),
        },
        verdict: 'faster',
      });
      const usual = target.name === 'top' ? 50 : 100;
      expect(entries.map(({ speedUp }) => speedUp)).toEqual([
        faster(usual / 2, 1.5),
        null,
        faster(usual * 2, 3),
      ]);
    }
  });

  test('have no speed-up where there is no single process', () => {
    const { topologies } = summariesOf(recordOf({ topologies: [2, 4] }));
    const [row] = topologies?.rows ?? [];
    expect(row?.entries.map(({ speedUp }) => speedUp)).toEqual([null, null]);
    expect(row?.entries.map(({ throughput }) => throughput.kind)).toEqual(['interval', 'interval']);
  });

  test('are not compared where there is one only, under whatever names', () => {
    expect(summariesOf(recordOf({ topologies: ['single'] })).topologies).toBeNull();
    const two = makeMachine({ parallelism: 2 });
    expect(summariesOf(recordOf({ topologies: ['max', 2] }, two)).topologies).toBeNull();
  });
});
