import { describe, expect, test } from 'vitest';
import { areKnown, halfShare, wantsAnother, widest, widthOf } from '../../src/figures/width.ts';
import { estimate, ratio } from '../../src/math/statistics.ts';
import { cellOf } from '../../src/plan/plan.ts';
import type { RunRecord } from '../../src/record/record.ts';
import { FEWEST_UNTIL } from '../../src/request/amounts.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { perRuntime } from '../../src/targets/copies.ts';
import { inLaunches } from '../support/estimates.ts';
import { failuresOf } from '../support/failures.ts';
import { interval, makeRecord, makeTarget, STACK, type Story } from '../support/make-record.ts';
import { NEW, OLD } from '../support/make-runtimes.ts';

/** Not in the order in which one is built on another: the floor is the last. */
const TARGETS = [...STACK.slice(1), ...STACK.slice(0, 1)];

/** Of three launches of two rounds, by default. */
function recordOf(story: Story, options: Partial<RunOptions> = {}, targets = TARGETS): RunRecord {
  const amounts = { launches: 3, durationS: 6, until: { share: 0.02, maxTimeNs: 100e9 } };
  return makeRecord({ options: { ...amounts, ...options }, targets }, story);
}

function shareOf(record: RunRecord, id: string): number | null {
  return widthOf(record, cellOf(record.plan, id))?.share ?? null;
}

/** In launches the figure is divided by this, as it is, and multiplied by it. */
const spread = (times: number, launch: number) => times ** (launch - 1);
const launchesOf = (times: number) => inLaunches(1 / times, 1, times);

/** How differently fast the machine is in the launches, whoever is measured. */
const MACHINE = 1.5;
/** The width of the ratio of two whose own figures spread so, and of the figure of one alone. */
const shareWhere = (own: number, other = 1) => {
  const sides = { own: launchesOf(own * MACHINE), other: launchesOf(other * MACHINE) };
  return expect.closeTo(halfShare(ratio(sides)), 6);
};
const shareAlone = (own: number) => {
  return expect.closeTo(halfShare(estimate(launchesOf(own * MACHINE))), 6);
};

/** The machine is slow in every other round; the figures of targets spread over launches. */
const uneven =
  (spreads: Record<string, number>): Story =>
  ({ target }, launch, round) => {
    const times = (round === 0 ? 1 : 3) * spread((spreads[target] ?? 1) * MACHINE, launch);
    return { ok: 1e9 * times, cpuUsPerResponse: 10 * times };
  };

test('a width is half of the interval, as a share of the value', () => {
  const estimates = [interval(4, 3, 5), interval(-4, -6, -2), interval(0, -1, 1)];
  const none = Number.POSITIVE_INFINITY;
  expect(estimates.map(halfShare)).toEqual([0.25, 0.5, none]);
  expect(halfShare({ kind: 'point', value: 3 })).toBe(none);
});

describe('how well a cell is known', () => {
  const OF_TWO = [makeTarget('a'), makeTarget('b')];
  const RUNTIMES = perRuntime(TARGETS, [OLD, NEW]);
  const NEWER = '@node-24.1.0';
  test.each<[string, spreads: Record<string, number>, shares: object, targets?: typeof TARGETS]>([
    [
      'is half the interval of its ratio to the floor, launch by launch, which has none itself',
      { middle: 1.02, top: 1.05 },
      { floor: null, middle: shareWhere(1.02), top: shareWhere(1.05) },
    ],
    ['includes the spread of the floor', { floor: 1.3 }, { middle: shareWhere(1, 1.3) }],
    [
      'is that of the ratio to the first cell if nothing is built on another',
      { a: 1.02, b: 1.02 ** 3 },
      { a: null, b: shareWhere(1.02 ** 3, 1.02) },
      OF_TWO,
    ],
    [
      'is that of the figure itself if a cell is alone in its topology under its load',
      { floor: 1.01 },
      { floor: shareAlone(1.01) },
      [makeTarget('floor')],
    ],
    [
      'is, of a floor on another runtime, that of its ratio to the floor on the first',
      { [`floor${NEWER}`]: 1.02, [`top${NEWER}`]: 1.02 },
      {
        'floor@node-22.1.0': null,
        [`floor${NEWER}`]: shareWhere(1.02),
        [`top${NEWER}`]: expect.closeTo(0, 6),
        [`middle${NEWER}`]: shareWhere(1.02),
      },
      RUNTIMES,
    ],
  ])('%s', (_, spreads, shares, targets = TARGETS) => {
    const record = recordOf(uneven(spreads), {}, targets);
    for (const [name, share] of Object.entries(shares)) {
      const found = ['published', 'cost'].map((load) => shareOf(record, `${name}/single/${load}`));
      expect(found).toEqual([share, share]);
    }
  });

  test('goes by requests/s, and under the cost load by CPU per request, in either direction', () => {
    const twice = (target: string, launch: number) => (target === 'top' ? spread(2, launch) : 1);
    const rates = recordOf(({ target }, launch) => ({ ok: 1e6 * twice(target, launch) }));
    const costs = recordOf(({ target }, launch) => {
      return { ok: 1e6, cpuUsPerResponse: 10 * twice(target, launch) };
    });
    // The logarithms of 0.5, 1 and 2 have the standard deviation ln 2: h = 4.303 × 0.6931 / √3 is 1.7219.
    const wide = expect.closeTo(2.708, 3);
    const shares = [rates, costs].flatMap((record) => {
      return ['published', 'cost'].map((load) => shareOf(record, `top/single/${load}`));
    });
    expect(shares).toEqual([wide, 0, 0, wide]);
  });

  test('compares a cluster with the cluster of the floor', () => {
    const story: Story = ({ target, topology }, launch) => {
      const apart = topology === '2' && target !== 'top' ? spread(1.1, launch) : 1;
      return { ok: Math.round(1e9 * apart) };
    };
    const record = recordOf(story, { topologies: ['single', 2] });
    const ids = ['middle/single/published', 'middle/2/published', 'top/2/published'];
    expect(ids.map((id) => shareOf(record, id))).toEqual([0, 0, shareWhere(1, 1.1)]);
  });

  test('is infinitely wide before three launches, or without answers', () => {
    const few = recordOf(() => ({ ok: 1000 }), { launches: 2, durationS: 4 });
    const late = recordOf(({ target }, launch) => {
      return target === 'middle' && launch === 0 ? null : { ok: 1000 };
    });
    const nothing = recordOf(({ target }) => ({ ok: target === 'middle' ? 0 : 1000 }));
    for (const record of [few, late, nothing]) {
      expect(shareOf(record, 'middle/single/published')).toBe(Number.POSITIVE_INFINITY);
    }
    expect(shareOf(late, 'top/single/published')).toBe(0);
  });
});

/** A record in which these servers, of the three, failed in their first launch and were not started again. */
const without = (names: string[], spreads: Record<string, number>) => {
  const story = uneven(spreads);
  const record = recordOf((cell, ...when) => {
    return names.includes(cell.target) ? null : story(cell, ...when);
  });
  record.failures = names.flatMap((name) => failuresOf(`${name}/single`, [0]));
  return record;
};

test('a server that failed does not count', () => {
  const record = without(['top'], { middle: 1.02 });
  expect(shareOf(record, 'top/single/cost')).toBeNull();
  expect(widest(record)).toMatchObject({ cell: { target: 'middle' } });
  const none = without(['top', 'middle', 'floor'], {});
  expect([widest(none), wantsAnother(none, 1e9)]).toEqual([null, false]);
});

test('a server that failed and was the floor is replaced by the first of the others, or leaves the last one alone', () => {
  const two = without(['floor'], { middle: 1.02, top: 1.02 ** 3 });
  expect(shareOf(two, 'middle/single/cost')).toBeNull();
  expect(shareOf(two, 'top/single/cost')).toEqual(shareWhere(1.02 ** 3, 1.02));
  const one = without(['floor', 'middle'], { top: 1.02 });
  expect(shareOf(one, 'top/single/cost')).toEqual(shareAlone(1.02));
});

test.each([
  ['top', 'top/single/cost', shareWhere(1.3)],
  ['floor', 'middle/single/cost', shareWhere(1, 1.3)],
])('a failure in one launch of several leaves the others: %s', (name, id, share) => {
  const record = recordOf(uneven({ [name]: 1.3 }), { launches: 4, durationS: 8 });
  record.failures = failuresOf(`${name}/single`, [3]);
  expect(shareOf(record, 'floor/single/cost')).toBeNull();
  expect(widthOf(record, cellOf(record.plan, id))).toMatchObject({ share, launches: 3 });
});

test('the widest is what has no interval yet, or else of all topologies and loads', () => {
  const story: Story = ({ id }, launch) => {
    const times = id === 'top/single/cost' ? spread(1.03, launch) : 1;
    return { ok: 1e9, cpuUsPerResponse: 10 * times };
  };
  const record = recordOf(story, { topologies: ['single', 2] });
  const cell = cellOf(record.plan, 'top/single/cost');
  expect(widest(record)).toEqual({ cell, share: shareWhere(1.03), launches: 3 });
  const without = recordOf(({ target }, launch) => {
    return { ok: target === 'middle' ? 0 : 1000 * (launch + 1) };
  });
  const share = Number.POSITIVE_INFINITY;
  expect(widest(without)).toMatchObject({ cell: { target: 'middle' }, share });
});

/** In every other launch the figure is this share more, and in the others as much less, under both loads. */
const apart = (share: number, launches = FEWEST_UNTIL, ratio = 1, parts = {}) => {
  const story: Story = ({ target }, launch) => {
    const times = target === 'floor' ? 1 : ratio * (1 + (launch % 2 === 0 ? share : -share));
    return { ok: 1e9 * times, cpuUsPerResponse: 10 * times };
  };
  return recordOf(story, { launches, durationS: 2 * launches, ...parts });
};

test.each<[string, RunRecord, elapsedS: number, wants: boolean]>([
  // Student's t of sixteen launches is 2.131: to ± 2.131 · d · √(16 / 15) / √16, which is ± 0.550 · d.
  ['as long as something is known less well than asked', apart(0.0367), 10, true],
  ['not once all is known', apart(0.036), 10, false],
  ...[1, 1.001, 1.5].flatMap((ratio): [string, RunRecord, number, boolean][] => [
    [`whatever the ratio is: ${ratio}`, apart(0.04, FEWEST_UNTIL, ratio), 1, true],
    [`not whatever the ratio is: ${ratio}`, apart(0.001, FEWEST_UNTIL, ratio), 1, false],
  ]),
  // Three launches in 75 s: a fourth would end at 100 s.
  ['if one of mean length would end in time', apart(0.5, 3), 75, true],
  ['not if it would not', apart(0.5, 3), 75.1, false],
  ['not if it would be far too late', apart(0.5, 3), 200, false],
  ['after too few, however well they agree', apart(0, FEWEST_UNTIL - 1), 10, true],
  ['not after as many as it takes', apart(0), 10, false],
  ['not if their number is fixed', apart(0.5, 3, 1, { until: null }), 1, false],
])('another launch is wanted %s', (_, record, elapsedS, wants) => {
  expect(wantsAnother(record, elapsedS * 1e9)).toBe(wants);
});

test('another launch is wanted if any cell was in too few, or is known less well than asked', () => {
  const enough = { share: 0.01, launches: FEWEST_UNTIL };
  expect(areKnown([enough, enough], 0.01)).toBe(true);
  expect(areKnown([enough, { ...enough, launches: FEWEST_UNTIL - 1 }], 0.01)).toBe(false);
  expect(areKnown([enough, { ...enough, share: 0.011 }], 0.01)).toBe(false);
});
