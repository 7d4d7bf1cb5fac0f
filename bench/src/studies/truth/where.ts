import { type Part, partKey } from '../../figures/where.ts';
import { type Estimate, pointOf, type Range } from '../../math/statistics.ts';
import type { HandlerTime, RunRecord, Slice } from '../../record/record.ts';
import { summarizeWhere } from '../../summary/where.ts';
import type { LocalTarget } from '../../targets/targets.ts';
import { type Finding, reportedBy, slicesOfTarget } from './findings.ts';
import { type Known, startOnNode, truthTarget, withoutWork } from './targets.ts';

/** A known cost of a known owner, and what profiles charge to that owner, ns per request. */
export type PartFinding = ReturnType<typeof findParts>[number];

/** How far off what is charged to the owner may be. */
export const PART_TOLERANCE = 0.2;

/** Whether profiles charge each known cost to its owner. */
export function findParts(record: RunRecord) {
  const wheres = summarizeWhere(record);
  const base = slicesOfTarget(record, BASE_NAME);
  return KNOWN_PARTS.map((known) => {
    const where = wheres.find(({ target }) => target.name === known.name);
    const own = where?.parts.find(({ part }) => partKey(part) === partKey(known.part));
    const measured: Estimate = own?.more ?? { kind: 'none' };
    /** By the server's own clock, in slices without sampling. */
    const clockNs = clockOf(known, slicesOfTarget(record, known.name), base);
    return { known, clockNs, measured, ...judge(measured, clockNs) };
  });
}

/** How far off a value is, as a share of what the clock says. */
function judge(measured: Estimate, { low, high }: Range): { off: number; finding: Finding } {
  const value = pointOf(measured) ?? Number.NaN;
  const nearest = Math.min(Math.max(value, low), high);
  const off = Math.abs(value / nearest - 1);
  if (off <= PART_TOLERANCE) return { off, finding: 'found' };
  const [least, most] = [low * (1 - PART_TOLERANCE), high * (1 + PART_TOLERANCE)];
  const mayBe = measured.kind === 'interval' && measured.low <= most && measured.high >= least;
  return { off, finding: mayBe || Number.isNaN(off) ? "can't tell" : 'missed' };
}

/** By the clock around the work, from the median to the mean; or the additional garbage collection over the base. */
function clockOf({ clock }: KnownPart, slices: readonly Slice[], base: readonly Slice[]): Range {
  const meanOf = (from: readonly Slice[], name: keyof HandlerTime) => {
    return pointOf(reportedBy(from, name)) ?? Number.NaN;
  };
  if (clock === 'handler')
    return { low: meanOf(slices, 'medianNs'), high: meanOf(slices, 'meanNs') };
  const more = meanOf(slices, 'gcNs') - meanOf(base, 'gcNs');
  return { low: more, high: more };
}

/** Work that is done for a request, and the part that its time is to be charged to. */
export interface KnownPart extends Known {
  part: Part;
  /** Which of the server's own clocks measures it. */
  clock: 'handler' | 'collector';
}

/** Two or three µs each, in code of three owners. */
export const KNOWN_PARTS: readonly KnownPart[] = [
  {
    ...{ name: 'in-package', label: 'in a package', work: 'churn', amount: 1500, clock: 'handler' },
    part: { kind: 'package', name: 'known-work', version: '1.0.0' },
  },
  {
    ...{ name: 'in-native', label: 'in native code', work: 'native', amount: 12_000 },
    ...{ clock: 'handler', part: { kind: 'native' } },
  },
  {
    ...{ name: 'in-collector', label: 'in the collector', work: 'survivors', amount: 60 },
    ...{ clock: 'collector', part: { kind: 'collector' } },
  },
];

export const BASE_NAME = 'nothing-more';

/**
 * Objects that live for a while are made in the young generation, in every launch alike. Old ones are marked at once:
 * the steps of incremental marking are missing in the list of collections, and so in the server's own clock.
 */
const COLLECTING = ['--no-allocation-site-pretenuring', '--no-incremental-marking'];
/** An option of these servers alone: in compiled code it can't be seen which function calls which. */
const NOT_COMPILED = '0';

/** Servers of which it is known where their time goes, over one that does nothing more. */
export function whereTargets(turnsPerUs: number): LocalTarget[] {
  return [withoutWork(BASE_NAME, 'nothing more'), ...KNOWN_PARTS].map((known) => {
    const start = startOnNode(known, turnsPerUs, COLLECTING);
    const over = known.name === BASE_NAME ? null : BASE_NAME;
    return truthTarget(known, [...start, NOT_COMPILED], { over });
  });
}
