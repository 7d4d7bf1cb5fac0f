import { describe, expect, test } from 'vitest';
import { difference, ratio, type Sample } from '../../src/math/statistics.ts';
import { compare, NEITHER, type Pair, type Rules, type Verdict } from '../../src/math/verdicts.ts';

const LESS: Rules = { better: 'less', equivalence: 0.02 };
const MORE: Rules = { better: 'more', equivalence: 0.02 };

/** What the other side has in every launch. */
const BASE = 1000;

function inLaunches(values: readonly number[]): Sample[] {
  return values.map((value, launch) => ({ launch, value }));
}

/** A pair whose first side is so many times the second, launch by launch. */
function pairOf(times: readonly number[], isLowerBound = NEITHER): Pair {
  const own = inLaunches(times.map((each) => each * BASE));
  return { sides: { own, other: inLaunches(times.map(() => BASE)) }, isLowerBound };
}

/**
 * A pair of six launches whose differences, as shares, have this mean and this standard error: the pattern has mean
 * 0 and standard deviation 1.
 */
function pairWith(share: number, error: number): Pair {
  const pattern = [-1, 1, -1, 1, -1, 1].map((sign) => sign * Math.sqrt(5 / 6));
  return pairOf(pattern.map((z) => 1 + share + z * error * Math.sqrt(6)));
}

function verdictsOf(pairs: Pair[], rules: Rules): Verdict[] {
  return compare(pairs, rules).map(({ verdict }) => verdict);
}

const DEARER = [1.2, 1.22, 1.19, 1.21];
const CHEAPER = [0.8, 0.82, 0.79, 0.81];
const EQUAL = [1.001, 0.999, 1.002, 0.998];
const UNCLEAR = [1.3, 0.8, 1.1, 0.95];

describe('a verdict', () => {
  test.each<[string, number[], Verdict, Verdict]>([
    ['clearly more', DEARER, 'slower', 'faster'],
    ['clearly less', CHEAPER, 'faster', 'slower'],
    ['certainly about as much', EQUAL, 'same', 'same'],
    ['what may be anything', UNCLEAR, "can't tell", "can't tell"],
  ])('follows from %s and from which figure is the better one', (_, times, less, more) => {
    expect(verdictsOf([pairOf(times)], LESS)).toEqual([less]);
    expect(verdictsOf([pairOf(times)], MORE)).toEqual([more]);
  });

  test('is "same" where a difference is certain but too small to matter', () => {
    const slight = pairOf([1.009, 1.01, 1.011, 1.01]);
    expect(verdictsOf([slight], LESS)).toEqual(['same']);
    expect(verdictsOf([slight], { ...LESS, equivalence: 0.005 })).toEqual(['slower']);
  });

  test('follows from the differences within launches, over what the machine is in each', () => {
    const pace = [100, 1000, 400, 2500];
    // Means 1100 and 1000: 10 % more, by 99 to 101 in every launch.
    const own = inLaunches(pace.map((each, launch) => each + 99 + (launch % 3)));
    const pair: Pair = { sides: { own, other: inLaunches(pace) }, isLowerBound: NEITHER };
    expect(verdictsOf([pair], LESS)).toEqual(['slower']);
    expect(verdictsOf([pair], { ...LESS, equivalence: 0.11 })).toEqual(['same']);
    expect(verdictsOf([pair], { ...LESS, equivalence: 0.09 })).toEqual(['slower']);
  });

  test.each([[[]], [[1]], [[3]]])("can't tell from %j, of less than two launches", (times) =>
    expect(verdictsOf([pairOf(times)], LESS)).toEqual(["can't tell"]),
  );

  test("can't tell from two launches of which both sides have one", () => {
    const own = inLaunches([3000, 3000]);
    const other = [
      { launch: 1, value: 1000 },
      { launch: 2, value: 1000 },
    ];
    expect(verdictsOf([{ sides: { own, other }, isLowerBound: NEITHER }], LESS)).toEqual([
      "can't tell",
    ]);
  });

  test('does not count launches that only one side has', () => {
    const { sides } = pairOf(DEARER);
    const own = [...sides.own, { launch: 9, value: 1 }];
    const other = [...sides.other, { launch: 8, value: 1e9 }];
    const known = compare([pairOf(DEARER)], LESS);
    expect(compare([{ sides: { own, other }, isLowerBound: NEITHER }], LESS)).toEqual(known);
  });

  test.each([0, -1000])("can't tell over a base of %d", (base) => {
    const sides = { own: inLaunches([5, 5, 5]), other: inLaunches([base, base, base]) };
    const [comparison] = compare([{ sides, isLowerBound: NEITHER }], LESS);
    expect(comparison).toMatchObject({ ratio: { kind: 'none' }, verdict: "can't tell" });
    expect(comparison?.difference).toMatchObject({ value: 5 - base });
  });

  test.each<[number, Verdict]>([
    [1, 'same'],
    [1.01, 'same'],
    [1.5, 'slower'],
    [0.5, 'faster'],
  ])('of launches that all say %d is %s', (times, verdict) => {
    expect(verdictsOf([pairOf([times, times, times])], LESS)).toEqual([verdict]);
  });

  test('comes with the ratio and the difference of this pair alone', () => {
    const pairs = [UNCLEAR, DEARER].map((times) => pairOf(times));
    const found = compare(pairs, LESS).map((each) => [each.ratio, each.difference]);
    expect(found).toEqual(pairs.map(({ sides }) => [ratio(sides), difference(sides)]));
    const [nothing] = compare([pairOf([])], LESS);
    expect(nothing).toMatchObject({ ratio: { kind: 'none' }, difference: { kind: 'none' } });
  });
});

// Quantiles of t with 5 degrees of freedom: 0.975 → 2.570582, 0.9875 → 3.163381.
describe('the tests behind a verdict', () => {
  const error = 0.003;
  const at = (t: number) => pairWith(t * error, error);
  const inside = (t: number) => pairWith(0.02 - t * error, error);
  const above = (t: number) => pairWith(-0.02 + t * error, error);
  const none: Rules = { better: 'less', equivalence: 0 };

  test('show a difference where its 95 % interval leaves out 0', () => {
    expect(verdictsOf([at(2.5705)], none)).toEqual(["can't tell"]);
    expect(verdictsOf([at(2.5707)], none)).toEqual(['slower']);
    expect(verdictsOf([at(-2.5707)], none)).toEqual(['faster']);
  });

  test.each([
    ['the upper', inside],
    ['the lower', above],
  ])('show equivalence where the 95 % interval is inside it: %s end', (_, near) => {
    expect(verdictsOf([near(2.5705)], LESS)).not.toEqual(['same']);
    expect(verdictsOf([near(2.5707)], LESS)).toEqual(['same']);
  });

  test('show equivalence of what is not different where both ends are inside', () => {
    expect(verdictsOf([pairWith(0, 0.02 / 2.5705)], LESS)).toEqual(["can't tell"]);
    expect(verdictsOf([pairWith(0, 0.02 / 2.5707)], LESS)).toEqual(['same']);
  });

  test('never call the same what is a whole margin apart', () => {
    expect(verdictsOf([pairWith(0.0201, 1e-6)], LESS)).toEqual(['slower']);
    expect(verdictsOf([pairWith(-0.0201, 1e-6)], LESS)).toEqual(['faster']);
  });

  test('ask for more in a family: the smallest p counts as often as there are pairs', () => {
    const unclear = at(0);
    expect(verdictsOf([at(3.1633), unclear], none)).toEqual(["can't tell", "can't tell"]);
    expect(verdictsOf([at(3.1635), unclear], none)).toEqual(['slower', "can't tell"]);
    const far = pairWith(1, error);
    expect(verdictsOf([inside(3.1633), far], LESS)).toEqual(['slower', 'slower']);
    expect(verdictsOf([inside(3.1635), far], LESS)).toEqual(['same', 'slower']);
  });

  test('ask for less once others of the family are shown', () => {
    expect(verdictsOf([at(3.1635), at(-2.5707)], none)).toEqual(['slower', 'faster']);
    expect(verdictsOf([at(3.1633), at(-2.5707)], none)).toEqual(["can't tell", "can't tell"]);
    expect(verdictsOf([inside(3.1635), above(2.5707)], LESS)).toEqual(['same', 'same']);
  });

  test('can leave out of the family what the interval of one pair alone tells', () => {
    const [comparison] = compare([at(2.8), at(0)], none);
    if (comparison?.difference.kind !== 'interval') throw new Error('there is an interval');
    expect(comparison.difference.low).toBeGreaterThan(0);
    expect(comparison.verdict).toBe("can't tell");
  });

  test('do not depend on the order of the pairs', () => {
    const pairs = [DEARER, UNCLEAR, EQUAL, CHEAPER, [1]].map((times) => pairOf(times));
    const verdicts = verdictsOf(pairs, LESS);
    expect(verdicts).toEqual(['slower', "can't tell", 'same', 'faster', "can't tell"]);
    expect(verdictsOf(pairs.toReversed(), LESS)).toEqual(verdicts.toReversed());
  });

  test('have nothing to say of no pairs', () => {
    expect(compare([], LESS)).toEqual([]);
  });
});

describe('beside a side that may be better than measured', () => {
  test.each<[string, boolean, boolean, Verdict, Verdict, Verdict]>([
    ['neither', false, false, 'faster', 'slower', 'same'],
    ['the first', true, false, 'faster', "can't tell", "can't tell"],
    ['the second', false, true, "can't tell", 'slower', "can't tell"],
    ['both', true, true, "can't tell", "can't tell", "can't tell"],
  ])('only what it could not undo is said: %s', (_, first, second, above, below, equal) => {
    const pairs = [DEARER, CHEAPER, EQUAL].map((times) => pairOf(times, { first, second }));
    expect(verdictsOf(pairs, MORE)).toEqual([above, below, equal]);
  });
});
