import { partKey } from '../../figures/where.ts';
import { type Estimate, pointOf, type Range } from '../../math/statistics.ts';
import type { HandlerTime, RunRecord, Slice } from '../../record/record.ts';
import { summarizeWhere } from '../../summary/where.ts';
import { type Finding, slicesOfTarget, toldBy } from './findings.ts';
import { BASE_NAME, KNOWN_PARTS, type KnownPart } from './where-targets.ts';

/** A known cost of a known owner, beside what profiles charge to that owner, ns a request. */
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
  const told = (from: readonly Slice[], name: keyof HandlerTime) => {
    return pointOf(toldBy(from, (handler) => handler[name])) ?? Number.NaN;
  };
  if (clock === 'handler') return { low: told(slices, 'medianNs'), high: told(slices, 'meanNs') };
  const more = told(slices, 'gcNs') - told(base, 'gcNs');
  return { low: more, high: more };
}
