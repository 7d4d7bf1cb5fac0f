import { expect, test } from 'vitest';
import type { RunOptions } from '../../src/request/run-options.ts';
import { around } from '../support/estimates.ts';
import { makeMachine, makeRecord } from '../support/make-record.ts';
import { summariesOf } from '../support/summaries.ts';

const SPEEDS: Record<string, number> = { single: 100, '2': 150, '4': 300 };

/** The topologies of a record, where the machine is twice as fast in launches and rounds with an odd number. */
function topologiesOf(options: Partial<RunOptions>, machine = makeMachine()) {
  const record = makeRecord({ options, machine }, ({ target, topology }, launch, round) => {
    const pace = 1 + ((launch + round) % 2);
    return { ok: (SPEEDS[topology] ?? 0) * pace * (target === 'top' ? 0.5 : 1) };
  });
  return summariesOf(record).topologies;
}

test('topologies are compared with the single process within launches, under the main load', () => {
  const options = { launches: 4, durationS: 12 };
  const topologies = topologiesOf({ ...options, topologies: [2, 'single', 'max'] });
  expect(topologies?.load.id).toBe('published');
  expect(topologies?.rows.map(({ target }) => target.name)).toEqual(['floor', 'middle', 'top']);
  for (const { target, entries } of topologies?.rows ?? []) {
    expect(entries.map(({ topology }) => topology.id)).toEqual(['2', 'single', '4']);
    // Three rounds are 4/3 times as fast as usual on average, or 5/3 in every other launch, so differences are those
    // times as large: s = (5/3 − 4/3) / √3 and half = t(0.975, 3) × s / √4 of the usual one. The ratio is the same
    // in all of them.
    const faster = (usual: number, ratio: number) => ({
      ratio: around(ratio, 0),
      difference: around(1.5 * usual, 0.3062305 * usual, 3),
      verdict: 'faster',
    });
    const usual = target.name === 'top' ? 50 : 100;
    const [two, single, four] = entries.map(({ speedUp }) => speedUp);
    expect([two, single, four]).toEqual([faster(usual / 2, 1.5), null, faster(usual * 2, 3)]);
  }
});

test('topologies have no speed-up without a single process', () => {
  const [row] = topologiesOf({ topologies: [2, 4] })?.rows ?? [];
  expect(row?.entries.map(({ speedUp }) => speedUp)).toEqual([null, null]);
  expect(row?.entries.map(({ throughput }) => throughput.kind)).toEqual(['interval', 'interval']);
});

test('topologies are not compared if there is only one, under whatever names', () => {
  expect(topologiesOf({ topologies: ['single'] })).toBeNull();
  const two = makeMachine({ parallelism: 2 });
  expect(topologiesOf({ topologies: ['max', 2] }, two)).toBeNull();
});
