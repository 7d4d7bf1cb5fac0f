import { describe, expect, test } from 'vitest';
import { areKnown, wantsAnother, widest, widthOf } from '../../src/figures/width.ts';
import { cellOf } from '../../src/plan/plan.ts';
import type { Failure, RunRecord } from '../../src/record/record.ts';
import { FEWEST_UNTIL } from '../../src/request/amounts.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { onRuntimes } from '../../src/targets/copies.ts';
import { makeRecord, makeTarget, type Story } from '../support/make-record.ts';
import { NEW, OLD } from '../support/make-runtimes.ts';

/** Not in the order in which one is built on another: the floor is the last. */
const TARGETS = [
  makeTarget('middle', { over: 'floor' }),
  makeTarget('top', { over: 'middle' }),
  makeTarget('floor'),
];

/** Of three launches of two rounds, unless told otherwise. */
function recordOf(story: Story, options: Partial<RunOptions> = {}, targets = TARGETS): RunRecord {
  const amounts = { launches: 3, durationS: 6, until: { share: 0.02, maxTimeNs: 100e9 } };
  return makeRecord({ options: { ...amounts, ...options }, targets }, story);
}

function shareOf(record: RunRecord, id: string): number | null {
  return widthOf(record, cellOf(record.plan, id))?.share ?? null;
}

function failureOf(server: string, launch = 0): Failure {
  return { server, launch, when: 'slice', message: '', logTail: [], died: true };
}

/** Student's t of three launches. */
const T = 4.302_652_73;

/**
 * Half of the interval of the ratio of two figures of three launches, as a share of it: t · √(Σ(a − Rb)² / 2 / 3) over
 * the mean of a, where R is the ratio of the means.
 */
function shareOfLaunches(own: readonly number[], other: readonly number[] = [1, 1, 1]): number {
  const total = (values: readonly number[]) => values.reduce((sum, each) => sum + each);
  const times = total(own) / total(other);
  const squares = own.map((a, launch) => (a - times * (other[launch] ?? 0)) ** 2);
  return (T * Math.sqrt(total(squares) / 2 / 3)) / (total(own) / 3);
}

/** Launches whose figure is divided by this, as it is, and multiplied by it. */
const spread = (times: number, launch: number) => times ** (launch - 1);

/** Three launches of that, with all that spreads them. */
const launchesOf = (...times: number[]) => {
  return [0, 1, 2].map((launch) => times.reduce((all, each) => all * spread(each, launch), 1));
};

/** How differently fast the machine is in the launches, whoever is measured. */
const MACHINE = 1.5;
/** The width of the ratio of two whose own figures spread so; of one alone that of its own. */
const shareWhere = (own: number, other = 1) => {
  return expect.closeTo(shareOfLaunches(launchesOf(own, MACHINE), launchesOf(other, MACHINE)), 6);
};
const shareAlone = (own: number) => {
  return expect.closeTo(shareOfLaunches(launchesOf(own, MACHINE)), 6);
};

/** The machine is slow in every other round; the target's own figures spread over launches. */
const uneven =
  (spreads: Record<string, number>): Story =>
  ({ target }, launch, round) => {
    const ownTimes = spread(spreads[target] ?? 1, launch);
    const machine = (round === 0 ? 1 : 3) * spread(MACHINE, launch);
    return { ok: 1e9 * ownTimes * machine, cpuUsPerResponse: 10 * ownTimes * machine };
  };

describe('how well a cell is known', () => {
  const OF_TWO = [makeTarget('a'), makeTarget('b')];
  const floorAlone = [makeTarget('floor')];
  test.each<[string, RunRecord, Record<string, unknown>]>([
    [
      'is half the interval of its ratio to the floor, launch by launch, which has none itself',
      recordOf(uneven({ middle: 1.02, top: 1.05 })),
      { floor: null, middle: shareWhere(1.02), top: shareWhere(1.05) },
    ],
    [
      'has the spread of the floor in it',
      recordOf(uneven({ floor: 1.3 })),
      { middle: shareWhere(1, 1.3) },
    ],
    [
      'is of the ratio to the first cell where nothing is built on another',
      recordOf(uneven({ a: 1.02, b: 1.02 ** 3 }), {}, OF_TWO),
      { a: null, b: shareWhere(1.02 ** 3, 1.02) },
    ],
    [
      'is of the figure itself where a cell is alone in its topology under its load',
      recordOf(uneven({ floor: 1.01 }), {}, floorAlone),
      { floor: shareAlone(1.01) },
    ],
  ])('%s', (_, record, shares) => {
    for (const [name, share] of Object.entries(shares)) {
      const found = ['published', 'cost'].map((load) => shareOf(record, `${name}/single/${load}`));
      expect(found).toEqual([share, share]);
    }
  });

  test('of a floor on another runtime is that of its ratio to the floor on the first', () => {
    const targets = onRuntimes(TARGETS, [OLD, NEW]);
    const spreads = { 'floor@node-24.1.0': 1.02, 'top@node-24.1.0': 1.02 };
    const record = recordOf(uneven(spreads), {}, targets);
    const names = [
      'floor@node-22.1.0',
      'floor@node-24.1.0',
      'top@node-24.1.0',
      'middle@node-24.1.0',
    ];
    expect(names.map((name) => shareOf(record, `${name}/single/cost`))).toEqual([
      ...[null, shareWhere(1.02), expect.closeTo(0, 6), shareWhere(1.02)],
    ]);
  });

  test('goes by requests/s, and under the cost load by CPU per request, to either side', () => {
    const twice = (target: string, launch: number) => (target === 'top' ? spread(2, launch) : 1);
    const rates = recordOf(({ target }, launch) => ({ ok: 1e6 * twice(target, launch) }));
    const costs = recordOf(({ target }, launch) => {
      return { ok: 1e6, cpuUsPerResponse: 10 * twice(target, launch) };
    });
    // Of 0.5, 1 and 2 the mean is 7/6 and the standard deviation 0.7638: 4.303 × 0.7638 / √3 is 1.897.
    const wide = expect.closeTo(1.626, 3);
    const shares = [rates, costs].map((record) => {
      return ['published', 'cost'].map((load) => shareOf(record, `top/single/${load}`));
    });
    expect(shares).toEqual([
      [wide, 0],
      [0, wide],
    ]);
  });

  test('compares a cluster with the cluster of the floor', () => {
    const story: Story = ({ target, topology }, launch) => {
      const apart = topology === '2' && target !== 'top' ? spread(1.1, launch) : 1;
      return { ok: Math.round(1e9 * apart) };
    };
    const record = recordOf(story, { topologies: ['single', 2] });
    expect(shareOf(record, 'middle/single/published')).toBe(0);
    expect(shareOf(record, 'middle/2/published')).toBe(0);
    const share = shareOfLaunches([1, 1, 1], launchesOf(1.1));
    expect(shareOf(record, 'top/2/published')).toBeCloseTo(share, 6);
  });

  test('is not at all before three launches, or where nothing was answered', () => {
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

describe('a server that failed', () => {
  /** A record in which these servers, of the three, failed in their first launch and were not started again. */
  const without = (servers: string[], spreads: Record<string, number>) => {
    const story = uneven(spreads);
    const record = recordOf((cell, ...when) => {
      return servers.includes(cell.server) ? null : story(cell, ...when);
    });
    record.failures.push(...servers.map((server) => failureOf(server)));
    return record;
  };

  test('is nothing to know anything of', () => {
    const record = without(['top/single'], { middle: 1.02 });
    expect(shareOf(record, 'top/single/cost')).toBeNull();
    expect(widest(record)).toMatchObject({ cell: { target: 'middle' } });
  });

  test('and was the floor leaves the first of the others to compare with, or the last one alone', () => {
    const two = without(['floor/single'], { middle: 1.02, top: 1.02 ** 3 });
    expect(shareOf(two, 'middle/single/cost')).toBeNull();
    expect(shareOf(two, 'top/single/cost')).toEqual(shareWhere(1.02 ** 3, 1.02));
    const one = without(['floor/single', 'middle/single'], { top: 1.02 });
    expect(shareOf(one, 'top/single/cost')).toEqual(shareAlone(1.02));
  });

  test.each(['top', 'floor'])('in one launch of several is known from the others: %s', (name) => {
    const record = recordOf(uneven({ [name]: 1.3 }), { launches: 4, durationS: 8 });
    record.failures.push(failureOf(`${name}/single`, 3));
    const isFloor = name === 'floor';
    expect(shareOf(record, 'floor/single/cost')).toBeNull();
    const share = isFloor ? shareWhere(1, 1.3) : shareWhere(1.3);
    const id = `${isFloor ? 'middle' : 'top'}/single/cost`;
    expect(widthOf(record, cellOf(record.plan, id))).toMatchObject({ share, launches: 3 });
  });
});

describe('what is known the least well', () => {
  test('is the cell with the widest interval of all topologies and loads', () => {
    const story: Story = ({ id }, launch) => {
      return {
        ok: 1e9,
        cpuUsPerResponse: 10 * spread(id === 'top/single/cost' ? 1.03 : 1, launch),
      };
    };
    const record = recordOf(story, { topologies: ['single', 2] });
    const share = expect.closeTo(shareOfLaunches(launchesOf(1.03)), 6);
    const cell = cellOf(record.plan, 'top/single/cost');
    expect(widest(record)).toEqual({ cell, share, launches: 3 });
  });

  test('is what has no interval yet, before all that has one', () => {
    const record = recordOf(({ target }, launch) => {
      return { ok: target === 'middle' ? 0 : 1000 * (launch + 1) };
    });
    const share = Number.POSITIVE_INFINITY;
    expect(widest(record)).toMatchObject({ cell: { target: 'middle' }, share });
  });

  test('is nothing where every server failed', () => {
    const record = recordOf(() => null);
    for (const { name } of TARGETS) record.failures.push(failureOf(`${name}/single`));
    expect(widest(record)).toBeNull();
    expect(wantsAnother(record, 1e9)).toBe(false);
  });
});

describe('another launch is wanted', () => {
  /** Of every other launch the figure is this share more, and of the others as much less, under both loads. */
  const apart = (share: number, launches = FEWEST_UNTIL, ratio = 1, parts = {}) => {
    const story: Story = ({ target }, launch) => {
      const times = target === 'floor' ? 1 : ratio * (1 + (launch % 2 === 0 ? share : -share));
      return { ok: 1e9 * times, cpuUsPerResponse: 10 * times };
    };
    return recordOf(story, { launches, durationS: 2 * launches, ...parts });
  };

  test('as long as something is known less well than asked', () => {
    // Student's t of sixteen launches is 2.131: to ± 2.131 · d · √(16 / 15) / √16, which is ± 0.550 · d.
    expect(wantsAnother(apart(0.0367), 10e9)).toBe(true);
    expect(wantsAnother(apart(0.036), 10e9)).toBe(false);
  });

  test('whatever the ratio is: a difference is no reason to end, nor is none to go on', () => {
    for (const ratio of [1, 1.001, 1.5]) {
      const wants = [0.04, 0.001].map((share) =>
        wantsAnother(apart(share, FEWEST_UNTIL, ratio), 1e9),
      );
      expect(wants).toEqual([true, false]);
    }
  });

  test('only if one of mean length would end in time', () => {
    const record = apart(0.5, 3);
    // Three launches in 75 s: a fourth would end at 100 s.
    const wants = [75e9, 75.1e9, 200e9].map((elapsedNs) => wantsAnother(record, elapsedNs));
    expect(wants).toEqual([true, false, false]);
  });

  test('after too few to end on a width, however well they agree', () => {
    expect(wantsAnother(apart(0, FEWEST_UNTIL - 1), 10e9)).toBe(true);
    expect(wantsAnother(apart(0), 10e9)).toBe(false);
  });

  test('where any cell was in too few, or is known less well than asked', () => {
    const enough = { share: 0.01, launches: FEWEST_UNTIL };
    expect(areKnown([enough, enough], 0.01)).toBe(true);
    expect(areKnown([enough, { ...enough, launches: FEWEST_UNTIL - 1 }], 0.01)).toBe(false);
    expect(areKnown([enough, { ...enough, share: 0.011 }], 0.01)).toBe(false);
  });

  test('never where their number is fixed', () => {
    expect(wantsAnother(apart(0.5, 3, 1, { until: null }), 1e9)).toBe(false);
  });
});
