import {
  FEWEST_LAUNCHES,
  hadSettled,
  launchesOf,
  samples,
  THROUGHPUT,
} from '../figures/figures.ts';
import { costOf } from '../load/blocks.ts';
import { type Estimate, ratio } from '../math/statistics.ts';
import type { Slice } from '../record/record.ts';
import type { CellContext } from './context.ts';
import { HALVES_RATIO } from './thresholds.ts';

/** Whether the server had settled in too few launches for a verdict. */
export function unsettled({ record, cell, slices }: CellContext) {
  const launches = launchesOf(slices).size;
  const settled = launchesOf(slices.filter((slice) => hadSettled(record, cell, slice))).size;
  if (settled === launches || settled >= FEWEST_LAUNCHES) return null;
  return { code: 'UNSETTLED' as const, settled, launches };
}

/** Whether the server still got faster or slower: by the whole interval of several launches, which differ by noise. */
export function unsteady({ slices }: CellContext) {
  const half = (place: 0 | 1) => samples(slices, { inLaunch: (own) => halvesOf(own)[place] });
  const halves = ratio({ own: half(1), other: half(0) });
  const capped = slices.filter(({ measurement }) => measurement.warmupCapped).length;
  if (capped === 0 && !isApart(halves)) return null;
  return { code: 'UNSTEADY' as const, halves, capped, slices: slices.length };
}

function isApart(halves: Estimate): boolean {
  if (halves.kind === 'none') return false;
  const { low, high } = { low: halves.value, high: halves.value, ...halves };
  return low > HALVES_RATIO || high < 1 / HALVES_RATIO;
}

/** How fast the server was in the first and the second half of something; not finite where that is not known. */
type Halves = [first: number, last: number];

/** By requests/s of slices; in a single one by answers per second of CPU time if it has blocks, or else requests/s. */
function halvesOf(launch: readonly Slice[]): Halves {
  const rounds = launch.toSorted((a, b) => a.round - b.round);
  if (rounds.length > 1) return halvesBy(rounds, THROUGHPUT.inLaunch);
  const only = launch[0]?.measurement;
  if (only !== undefined && only.blocks.length > 1) {
    return halvesBy(only.blocks, (blocks) => 1 / costOf(blocks));
  }
  if (!only?.halfway) return [Number.NaN, Number.NaN];
  const { halfway, window, windowNs } = only;
  return [halfway.ok / halfway.ns, (window.ok - halfway.ok) / (windowNs - halfway.ns)];
}

function halvesBy<Part>(parts: readonly Part[], paceOf: (some: readonly Part[]) => number): Halves {
  const half = Math.floor(parts.length / 2);
  return [paceOf(parts.slice(0, half)), paceOf(parts.slice(-half))];
}
