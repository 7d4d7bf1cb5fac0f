import { describe, expect, test } from 'vitest';
import { difference, pointOf, ratio, type Sides } from '../../src/math/statistics.ts';
import { compare, type Pair, type Rules, rank, type Verdict } from '../../src/math/verdicts.ts';
import { inLaunches, NONE } from '../support/estimates.ts';
import { present } from '../support/summaries.ts';

const LESS: Rules = { better: 'less', equivalence: 0.02, fewest: 3 };
const MORE: Rules = { better: 'more', equivalence: 0.02, fewest: 3 };

/** A pair whose first side is so many times the second, launch by launch. */
function pairOf(times: readonly number[], bounds: Pick<Pair, 'isLowerBound'> = {}): Pair {
  const own = inLaunches(...times.map((each) => each * 1000));
  return { sides: { own, other: inLaunches(...times.map(() => 1000)) }, ...bounds };
}

/** A pair of six launches: the logarithms of the ratios have this mean and this standard error. */
function pairWith(log: number, error: number): Pair {
  // Of mean 0 and standard deviation 1.
  const pattern = [-1, 1, -1, 1, -1, 1].map((sign) => sign * Math.sqrt(5 / 6));
  return pairOf(pattern.map((z) => Math.exp(log + z * error * Math.sqrt(6))));
}

function verdictsOf(pairs: Pair[], rules: Rules): Verdict[] {
  return compare(pairs, rules).map(({ comparison }) => comparison.verdict);
}

/** Two sides as a family of their own. */
const comparisonOf = (sides: Sides) => present(compare([{ sides }], LESS)[0], 'pair').comparison;

const DEARER = [1.2, 1.22, 1.19, 1.21];
const CHEAPER = [0.8, 0.82, 0.79, 0.81];
const EQUAL = [1.001, 0.999, 1.002, 0.998];
const UNCLEAR = [1.3, 0.8, 1.1, 0.95];

test.each<[string, number[], less: Verdict, more: Verdict]>([
  ['clearly more', DEARER, 'slower', 'faster'],
  ['clearly less', CHEAPER, 'faster', 'slower'],
  ['certainly about as much', EQUAL, 'same', 'same'],
  ['certain, but too small to matter', [1.009, 1.01, 1.011, 1.01], 'same', 'same'],
  ['a wide interval', UNCLEAR, "can't tell", "can't tell"],
  ['the same in all launches', [1, 1, 1], 'same', 'same'],
  ['hardly more in all launches', [1.01, 1.01, 1.01], 'same', 'same'],
  ['more in all launches', [1.5, 1.5, 1.5], 'slower', 'faster'],
  ['less in all launches', [0.5, 0.5, 0.5], 'faster', 'slower'],
  ['no launch', [], "can't tell", "can't tell"],
  ['one launch', [1], "can't tell", "can't tell"],
  ['much more in one launch', [3], "can't tell", "can't tell"],
])('a verdict follows from %s and from which figure is the better one', (_, times, less, more) => {
  const pairs = [pairOf(times)];
  expect([...verdictsOf(pairs, LESS), ...verdictsOf(pairs, MORE)]).toEqual([less, more]);
});

test('a verdict follows from the ratios within launches, whatever the speed of each launch', () => {
  const pace = [100, 1000, 400, 2500];
  const times = [1.09, 1.1, 1.11, 1.09];
  const own = inLaunches(...pace.map((each, launch) => each * (times[launch] ?? 0)));
  const sides = { own, other: inLaunches(...pace) };
  const alike = pointOf(ratio(pairOf(times).sides)) ?? 0;
  expect(pointOf(comparisonOf(sides).ratio)).toBeCloseTo(alike, 9);
  const verdicts = [0.02, 0.08, 0.12].flatMap((equivalence) => {
    return verdictsOf([{ sides }], { ...LESS, equivalence });
  });
  expect(verdicts).toEqual(['slower', 'slower', 'same']);
  expect(verdictsOf([pairOf([2, 20, 6, 9])], LESS)).toEqual(['slower']);
});

test('a verdict does not count launches that only one side has', () => {
  const sides = { own: inLaunches(3000, 3000), other: inLaunches(null, 1000, 1000) };
  expect(verdictsOf([{ sides }], LESS)).toEqual(["can't tell"]);
  const { own, other } = pairOf(DEARER).sides;
  const far = [{ launch: 9, value: 1 }];
  const more = { own: [...own, ...far], other: [...other, { launch: 8, value: 1e9 }] };
  expect(comparisonOf(more)).toEqual(comparisonOf({ own, other }));
});

test('a verdict and an interval need so many launches in common', () => {
  const { own, other } = pairOf(DEARER).sides;
  const shownOf = (launches: number) => {
    const found = comparisonOf({ own, other: other.slice(0, launches) });
    return [found.ratio.kind, found.difference.kind, found.verdict];
  };
  expect(shownOf(3)).toEqual(['interval', 'interval', 'slower']);
  expect(shownOf(2)).toEqual(['point', 'point', "can't tell"]);
});

test.each([0, -1000])("a verdict can't be told over a base of %d", (base) => {
  const sides = { own: inLaunches(5, 5, 5), other: inLaunches(base, base, base) };
  const difference = { value: 5 - base };
  expect(comparisonOf(sides)).toMatchObject({ ratio: NONE, difference, verdict: "can't tell" });
});

test('a verdict comes with the ratio and the difference of this pair alone', () => {
  const pairs = [UNCLEAR, DEARER, []].map((times) => pairOf(times));
  const found = compare(pairs, LESS).map(({ comparison: own }) => [own.ratio, own.difference]);
  expect(found).toEqual(pairs.map(({ sides }) => [ratio(sides), difference(sides)]));
});

// Quantiles of t with 5 degrees of freedom: 0.975 → 2.570582, 0.9875 → 3.163381.
describe('the tests behind a verdict', () => {
  const error = 0.003;
  const at = (t: number) => pairWith(t * error, error);
  const margin = Math.log(1.02);
  const inside = (t: number) => pairWith(margin - t * error, error);
  const above = (t: number) => pairWith(t * error - margin, error);
  const far = pairWith(1, error);
  const none: Rules = { better: 'less', equivalence: 0, fewest: 3 };

  test.each<[string, Rules, Pair[], Verdict[]]>([
    ['its 95 % interval holds 0', none, [at(2.5705)], ["can't tell"]],
    ['that excludes 0', none, [at(2.5707)], ['slower']],
    ['that is below 0', none, [at(-2.5707)], ['faster']],
    ['that reaches out of equivalence', LESS, [inside(2.5705)], ['slower']],
    ['that is inside equivalence', LESS, [inside(2.5707)], ['same']],
    ['that reaches below equivalence', LESS, [above(2.5705)], ['faster']],
    ['that is above its lower end', LESS, [above(2.5707)], ['same']],
    ['that reaches out of both ends', LESS, [pairWith(0, margin / 2.5705)], ["can't tell"]],
    ['that is inside both ends', LESS, [pairWith(0, margin / 2.5707)], ['same']],
    ['it is a whole margin more', LESS, [pairWith(margin + 1e-4, 1e-6)], ['slower']],
    ['it is a whole margin less', LESS, [pairWith(-margin - 1e-4, 1e-6)], ['faster']],
    // The smallest p counts as often as there are pairs, …
    ['one of two is not far enough', none, [at(3.1633), at(0)], ["can't tell", "can't tell"]],
    ['one of two is', none, [at(3.1635), at(0)], ['slower', "can't tell"]],
    ['one of two is not inside enough', LESS, [inside(3.1633), far], ['slower', 'slower']],
    ['one of two is inside', LESS, [inside(3.1635), far], ['same', 'slower']],
    // … and the next one less often once that is shown.
    ['the first of two is shown', none, [at(3.1635), at(-2.5707)], ['slower', 'faster']],
    ['it is not', none, [at(3.1633), at(-2.5707)], ["can't tell", "can't tell"]],
    ['the first of two is inside', LESS, [inside(3.1635), above(2.5707)], ['same', 'same']],
    ['there are none', LESS, [], []],
  ])('where %s', (_, rules, pairs, verdicts) => {
    expect(verdictsOf(pairs, rules)).toEqual(verdicts);
  });

  test('do not depend on the order of the pairs', () => {
    const pairs = [DEARER, UNCLEAR, EQUAL, CHEAPER, [1]].map((times) => pairOf(times));
    const verdicts = verdictsOf(pairs, LESS);
    expect(verdicts).toEqual(['slower', "can't tell", 'same', 'faster', "can't tell"]);
    expect(verdictsOf(pairs.toReversed(), LESS)).toEqual(verdicts.toReversed());
  });
});

test.each<[string, first: boolean, second: boolean, Verdict, Verdict, Verdict]>([
  ['neither', false, false, 'faster', 'slower', 'same'],
  ['the first', true, false, 'faster', "can't tell", "can't tell"],
  ['the second', false, true, "can't tell", 'slower', "can't tell"],
  ['both', true, true, "can't tell", "can't tell", "can't tell"],
])('if %s may be better than measured, verdicts that could be wrong are withheld', (...given) => {
  const [, first, second, ...verdicts] = given;
  const isLowerBound = { first, second };
  const pairs = [DEARER, CHEAPER, EQUAL].map((times) => pairOf(times, { isLowerBound }));
  expect(verdictsOf(pairs, MORE)).toEqual(verdicts);
});

test.each<[string, costs: number[], places: string]>([
  ['a place each if all are told apart', [10, 12, 14], '1 2 3'],
  ['a shared place if not, and the next one counted on', [10, 12, 12.5, 14], '1 2= 2= 4'],
  ['one place if none are told apart', [10, 10, 10], '1= 1= 1='],
  ['the place of their leader, not of their neighbour', [10, 10.6, 11.2, 11.8], '1= 1= 3= 3='],
  ['the first place if there is only one', [3], '1'],
  ['none if there are none', [], ''],
])('ranks give items %s', (_, costs, places) => {
  // A cost counts as more from 1 on.
  const verdict = (cost: number, leader: number) => (cost - leader >= 1 ? 'slower' : 'same');
  const found = rank(costs, verdict).map(({ place, tied }) => (tied ? `${place}=` : `${place}`));
  expect(found.join(' ')).toBe(places);
});

// The order is that of their own estimates; the pair can be told apart the other way round.
test("ranks give an item that is faster than the leader, or can't be told from it, its place", () => {
  for (const verdict of ['faster', "can't tell"] as const) {
    expect(rank(['leader', 'second'], () => verdict)[1]?.place).toBe(1);
  }
});
