/** Confidence intervals for a run that looks at its results after each launch, and what they decide. */
import tCdf from '@stdlib/stats-base-dists-t-cdf';
import tQuantile from '@stdlib/stats-base-dists-t-quantile';
import { sum } from 'simple-statistics';
import { ALPHA, type Estimate, trimmedMean } from './statistics.ts';
import type { Verdict } from './verdicts.ts';

/**
 * The chance that intervals are computed for, so that any of a family ever excludes the true value with a chance of at
 * most 5 %: with Student's t and a trimmed mean, they miss it up to a fifth more often.
 */
export const SPENT = 0.8 * ALPHA;
/** The chance grows with this power of the time used: little of it is spent early, most is left for the end. */
const SPENDING_POWER = 2;
/** Sums of standard normal values are computed on a grid with this distance … */
const GRID = 0.1;
/** … and steps beyond this many standard deviations never happen. */
const FARTHEST = 5;
/** Student's t with so many degrees of freedom is normal. */
const NORMAL = 1e9;
/** How often a difference that counts as detectable is detected. */
const POWER = 0.8;
/** The last level hardly depends on the number of looks; this many stand for a run of unknown length. */
const USUAL_LOOKS = 20;
/** More values than anybody waits for. */
const MOST_VALUES = 1000;

/**
 * The level, a two-sided chance, of the interval at the last of several looks, so that those at all looks together miss
 * the true value with a chance of at most `alpha`. `fractions` says what share of the longest time was over at each
 * look, one after each launch. Error spending by time (Lan and DeMets 1983, "Discrete sequential boundaries for
 * clinical trials"; 1989 for time in place of information) by the recursion of Armitage, McPherson and Rowe (1969);
 * intervals as in Jennison and Turnbull (1989, "Interim analyses: the repeated confidence interval approach").
 */
export function levelAtLook(fractions: readonly number[], alpha: number): number {
  let chances = [1];
  let spent = 0;
  let level = 0;
  for (const [look, fraction] of fractions.entries()) {
    const total = alpha * fraction ** SPENDING_POWER;
    const { inside, bound } = cutTails(addStep(chances), total - spent);
    level = 2 * tCdf(-bound / Math.sqrt(look + 1), NORMAL);
    spent = total;
    chances = inside;
  }
  return level;
}

const REACH = Math.round(FARTHEST / GRID);
const DENSITIES = Array.from({ length: 2 * REACH + 1 }, (_, place) => {
  return Math.exp(-(((place - REACH) * GRID) ** 2) / 2);
});
const TOTAL = sum(DENSITIES);
/** The chance of each step of the grid, the middle one of none. */
const STEP = DENSITIES.map((each) => each / TOTAL);

/** The chances of sums after one more step, the middle one of 0. */
function addStep(chances: readonly number[]): number[] {
  const sums = new Array<number>(chances.length + STEP.length - 1).fill(0);
  for (const [place, chance] of chances.entries()) {
    for (const [step, own] of STEP.entries()) {
      sums[place + step] = (sums[place + step] ?? 0) + chance * own;
    }
  }
  return sums;
}

/** Cuts so much of the chance off, at both ends together; `bound` is the distance from 0 beyond which nothing is left. */
function cutTails(chances: readonly number[], outside: number) {
  const reach = (chances.length - 1) / 2;
  let left = outside / 2;
  let place = 0;
  while (place < reach && (chances[place] ?? 0) <= left) {
    left -= chances[place] ?? 0;
    place++;
  }
  const inside = chances.slice(place, chances.length - place);
  const edge = inside[0] ?? 0;
  inside[0] = edge - left;
  inside[inside.length - 1] = edge - left;
  return { inside, bound: (reach - place + 0.5 - left / edge) * GRID };
}

/** How many values of the same deviation narrow the interval of a run planned for them to ± this; null if too many. */
export function valuesFor(half: number, values: readonly number[], alpha: number): number | null {
  const looks = Array.from({ length: USUAL_LOOKS }, (_, look) => (look + 1) / USUAL_LOOKS);
  const level = levelAtLook(looks, alpha);
  const deviation = values.length < 2 ? 0 : trimmedMean(values).error * Math.sqrt(values.length);
  for (let count = Math.max(2, values.length + 1); count <= MOST_VALUES; count++) {
    const error = deviation / Math.sqrt(count);
    if (tQuantile(1 - level / 2, count - 1) * error <= half) return count;
  }
  return null;
}

/** The smallest mean that four of five sets of so many values with this standard deviation distinguish from 0. */
export function smallestSeen(level: number, values: readonly number[]): number {
  if (values.length < 2) return Number.POSITIVE_INFINITY;
  const { error, freedom } = trimmedMean(values);
  return (tQuantile(1 - level / 2, freedom) + tQuantile(POWER, freedom)) * error;
}

/** The verdict on a difference; none if the first side's difference from its own copy is unknown, or not 0. */
export function judge(found: Estimate, copy: Estimate, equivalence: number): Verdict {
  if (copy.kind !== 'interval' || excludesZero(copy)) return "can't tell";
  return verdictOf(found, equivalence);
}

/** The verdict on a difference, as a share, in a figure of which less is better. Equivalence wins over a difference. */
export function verdictOf(found: Estimate, equivalence: number): Verdict {
  if (found.kind !== 'interval') return "can't tell";
  if (found.low >= -equivalence && found.high <= equivalence) return 'same';
  if (!excludesZero(found)) return "can't tell";
  return found.value > 0 ? 'slower' : 'faster';
}

export function excludesZero(found: Estimate): boolean {
  return found.kind === 'interval' && (found.low > 0 || found.high < 0);
}
