import { describe, expect, test } from 'vitest';
import { type Estimate, estimateRatio, pointOf, type Sample } from '../../src/math/statistics.ts';
import { compare, type Pair, type Rules, type Verdict } from '../../src/math/verdicts.ts';

const LESS: Rules = { better: 'less', equivalence: 0.02 };
const MORE: Rules = { better: 'more', equivalence: 0.02 };

/** A pair with one ratio for each launch. */
function pairOf(ratios: number[], mayBeBetter = { first: false, second: false }): Pair {
  return { ratios: ratios.map((value, launch) => ({ launch, value })), mayBeBetter };
}

/**
 * A pair of six launches whose log ratios have this mean and this standard error: the pattern has
 * mean 0 and standard deviation 1.
 */
function pairWith(meanLog: number, error: number): Pair {
  const pattern = [-1, 1, -1, 1, -1, 1].map((sign) => sign * Math.sqrt(5 / 6));
  return pairOf(pattern.map((z) => Math.exp(meanLog + z * error * Math.sqrt(6))));
}

/** On the log scale. */
function widthOf(ratio: Estimate): number {
  return ratio.kind === 'interval' ? Math.log(ratio.high / ratio.low) : Number.NaN;
}

function verdictsOf(pairs: Pair[], rules: Rules): Verdict[] {
  return compare(pairs, rules).map(({ verdict }) => verdict);
}

const DEARER = [1.2, 1.22, 1.19, 1.21];
const CHEAPER = DEARER.map((ratio) => 1 / ratio);
const EQUAL = [1.001, 0.999, 1.002, 0.998];
const UNCLEAR = [1.3, 0.8, 1.1, 0.95];

describe('a verdict', () => {
  test.each<[string, number[], Verdict, Verdict]>([
    ['a ratio clearly above 1', DEARER, 'slower', 'faster'],
    ['a ratio clearly below 1', CHEAPER, 'faster', 'slower'],
    ['a ratio certainly near 1', EQUAL, 'same', 'same'],
    ['a ratio that may be anything', UNCLEAR, "can't tell", "can't tell"],
  ])('follows from %s and from which figure is the better one', (_, ratios, less, more) => {
    expect(verdictsOf([pairOf(ratios)], LESS)).toEqual([less]);
    expect(verdictsOf([pairOf(ratios)], MORE)).toEqual([more]);
  });

  test('is "same" where a difference is certain but too small to matter', () => {
    const slight = pairOf([1.009, 1.01, 1.011, 1.01]);
    expect(verdictsOf([slight], LESS)).toEqual(['same']);
    expect(verdictsOf([slight], { ...LESS, equivalence: 0.005 })).toEqual(['slower']);
  });

  test('takes the median of each launch, so that a burst does not count', () => {
    const rounds = DEARER.flatMap((value, launch) => {
      return [value, 50, value].map((each): Sample => ({ launch, value: each }));
    });
    const pair: Pair = { ...pairOf([]), ratios: rounds };
    expect(compare([pair], LESS)).toEqual(compare([pairOf(DEARER)], LESS));
  });

  test('is reached by what is known of all pairs together where that is asked for', () => {
    const others = [1.02, 1.05, 1.03, 1.04].map((ratio) => ratio - 0.03);
    const family = [pairOf(DEARER), pairOf(others)];
    const [alone, together] = (['own', 'pooled'] as const).map((spread) => {
      return compare(family, { ...LESS, spread }).map(({ ratio }) => ratio);
    });
    const widths = [alone, together].map((ratios) => ratios?.map(widthOf));
    expect(together?.map(pointOf)).toEqual(alone?.map(pointOf));
    expect(widths[1]?.[0]).toBeCloseTo(widths[1]?.[1] ?? 0, 9);
    expect(widths[0]?.[0]).not.toBeCloseTo(widths[0]?.[1] ?? 0, 9);
  });

  test('takes launches, not rounds, as samples', () => {
    const rounds = [1.01, 1.09].flatMap((value, launch) => {
      return Array.from({ length: 30 }, (): Sample => ({ launch, value }));
    });
    expect(verdictsOf([{ ...pairOf([]), ratios: rounds }], LESS)).toEqual(["can't tell"]);
  });

  test.each([[[]], [[1]], [[3]], [[0, -1]]])(
    "can't tell from the ratios %j, of less than two launches",
    (ratios) => expect(verdictsOf([pairOf(ratios)], LESS)).toEqual(["can't tell"]),
  );

  test.each<[number, Verdict]>([
    [1, 'same'],
    [1.01, 'same'],
    [1.5, 'slower'],
    [0.5, 'faster'],
  ])('of launches that all say %d is %s', (ratio, verdict) => {
    expect(verdictsOf([pairOf([ratio, ratio, ratio])], LESS)).toEqual([verdict]);
  });

  test('comes with the estimate of the ratio', () => {
    const pair = pairOf(UNCLEAR);
    const ratios = compare([pair, pairOf([])], LESS).map(({ ratio }) => ratio);
    expect(ratios).toEqual([estimateRatio(pair.ratios), { kind: 'none' }]);
  });
});

// Quantiles of t with 5 degrees of freedom: 0.975 → 2.570582, 0.9875 → 3.163381, 0.95 → 2.015048,
// 0.975 → 2.570582.
describe('the tests behind a verdict', () => {
  const error = 0.003;
  const at = (t: number) => pairWith(t * error, error);
  const inside = (t: number) => pairWith(Math.log1p(0.02) - t * error, error);
  const none: Rules = { better: 'less', equivalence: 0 };

  test('show a difference from the two-sided 5 % point of t on', () => {
    expect(verdictsOf([at(2.5705)], none)).toEqual(["can't tell"]);
    expect(verdictsOf([at(2.5707)], none)).toEqual(['slower']);
    expect(verdictsOf([at(-2.5707)], none)).toEqual(['faster']);
  });

  test('show equivalence where both margins are beyond the one-sided 5 % point of t', () => {
    expect(verdictsOf([inside(2.0149)], LESS)).not.toEqual(['same']);
    expect(verdictsOf([inside(2.0152)], LESS)).toEqual(['same']);
    expect(verdictsOf([pairWith(0, Math.log1p(0.02) / 2.0149)], LESS)).toEqual(["can't tell"]);
    expect(verdictsOf([pairWith(0, Math.log1p(0.02) / 2.0152)], LESS)).toEqual(['same']);
  });

  test('ask for more in a family: the smallest p counts as often as there are pairs', () => {
    const unclear = at(0);
    expect(verdictsOf([at(3.1633), unclear], none)).toEqual(["can't tell", "can't tell"]);
    expect(verdictsOf([at(3.1635), unclear], none)).toEqual(['slower', "can't tell"]);
    const far = pairWith(1, error);
    expect(verdictsOf([inside(2.5705), far], LESS)).toEqual(['slower', 'slower']);
    expect(verdictsOf([inside(2.5707), far], LESS)).toEqual(['same', 'slower']);
  });

  test('ask for less once others of the family are shown', () => {
    expect(verdictsOf([at(3.1635), at(-2.5707)], none)).toEqual(['slower', 'faster']);
    expect(verdictsOf([at(3.1633), at(-2.5707)], none)).toEqual(["can't tell", "can't tell"]);
  });

  test('do not depend on the order of the pairs', () => {
    const pairs = [DEARER, UNCLEAR, EQUAL, CHEAPER, [1]].map((ratios) => pairOf(ratios));
    const verdicts = verdictsOf(pairs, LESS);
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
    const pairs = [DEARER, CHEAPER, EQUAL].map((ratios) => pairOf(ratios, { first, second }));
    expect(verdictsOf(pairs, MORE)).toEqual([above, below, equal]);
  });
});
