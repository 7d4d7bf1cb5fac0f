import { partKey } from '../../figures/where.ts';
import { type Estimate, pointOf } from '../../math/statistics.ts';
import type { RunRecord, Slice } from '../../record/record.ts';
import { summarizeWhere } from '../../summary/where.ts';
import { type Finding, slicesOfTarget, toldBy } from './findings.ts';
import { BASE_NAME, KNOWN_PARTS, type KnownPart } from './where-targets.ts';

/** A known cost with a known owner, beside what profiles charge to that owner, ns a request. */
export interface PartFinding {
  known: KnownPart;
  /** By the server's own clock, in slices without sampling. */
  clockNs: { low: number; high: number };
  measured: Estimate;
  /** Of what the clock says. */
  off: number;
  finding: Finding;
}

/** How far what is charged to the owner may be off. */
export const PART_TOLERANCE = 0.2;

/** Whether profiles find each known cost with its owner. */
export function findParts(record: RunRecord): PartFinding[] {
  const wheres = summarizeWhere(record);
  const base = slicesOfTarget(record, BASE_NAME);
  return KNOWN_PARTS.map((known) => {
    const where = wheres.find(({ target }) => target.name === known.name);
    const own = where?.parts.find(({ part }) => partKey(part) === partKey(known.part));
    const measured = own?.more ?? ({ kind: 'none' } as const);
    const clockNs = clockOf(known, slicesOfTarget(record, known.name), base);
    return { known, clockNs, measured, ...judge(measured, clockNs) };
  });
}

function judge(
  measured: Estimate,
  { low, high }: PartFinding['clockNs'],
): Pick<PartFinding, 'off' | 'finding'> {
  const value = pointOf(measured) ?? Number.NaN;
  const nearest = Math.min(Math.max(value, low), high);
  const off = Math.abs(value / nearest - 1);
  if (off <= PART_TOLERANCE) return { off, finding: 'found' };
  const [least, most] = [low * (1 - PART_TOLERANCE), high * (1 + PART_TOLERANCE)];
  const mayBe = measured.kind === 'interval' && measured.low <= most && measured.high >= least;
  return { off, finding: mayBe || Number.isNaN(off) ? "can't tell" : 'missed' };
}

/** What the clock around the work says, from the median on; or what the collector took more than in the base. */
function clockOf(
  { clock }: KnownPart,
  slices: readonly Slice[],
  base: readonly Slice[],
): PartFinding['clockNs'] {
  const told = (from: readonly Slice[], of: Parameters<typeof toldBy>[1]) => {
    return pointOf(toldBy(from, of)) ?? Number.NaN;
  };
  if (clock === 'handler') {
    return {
      low: told(slices, ({ medianNs }) => medianNs),
      high: told(slices, ({ meanNs }) => meanNs),
    };
  }
  const more = told(slices, ({ gcNs }) => gcNs) - told(base, ({ gcNs }) => gcNs);
  return { low: more, high: more };
}
