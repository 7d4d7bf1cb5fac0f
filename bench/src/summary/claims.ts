import { figureOf } from '../figures/figures.ts';
import { type Estimate, pointOf } from '../math/statistics.ts';
import type { Comparison } from '../math/verdicts.ts';
import type { Load } from '../plan/loads.ts';
import { isPlain, type Topology } from '../plan/topology.ts';
import type { RunRecord } from '../record/record.ts';
import { type Flag, spoiling, uniqueFlags } from '../validity/flags.ts';
import {
  comparisonsOf,
  type DeclaredComparison,
  type Judgements,
  type Test,
} from '../workload/declaration.ts';
import { compareFamily, withComparison } from './compare-family.ts';
import type { CellSummary, Condition } from './conditions.ts';
import { figureNamed } from './named-figures.ts';

/** A cell, and where it was measured. */
export interface Place {
  summary: CellSummary;
  load: Load;
  topology: Topology;
}

/** Two cells that a workload compares. */
export interface ComparisonRow {
  declared: DeclaredComparison;
  of: Place;
  over: Place;
  comparison: Comparison;
  /** Why not to trust it. */
  flags: Flag[];
  /** Whether the interval is that of the figure itself: no flag spoils it, and it is no bound. */
  isKnown: boolean;
}

/** A published value beside the measured one, in the figure's base unit. */
export interface PublishedValue {
  place: Place;
  figure: DeclaredComparison['figure'];
  published: number;
  measured: Estimate;
}

export type Outcome = 'holds' | 'does not hold' | "can't tell" | 'not measured';

/** What became of a published claim. */
export interface ClaimRow {
  label: string;
  claim: string;
  because: string | null;
  outcome: Outcome;
  /** Why it was not measured. */
  reason: string | null;
  /** What it was judged by, as far as it was measured. */
  rows: ComparisonRow[];
}

/** All that a workload compares, and what was published of it. */
export interface ClaimTable {
  source: string | null;
  machine: string | null;
  values: PublishedValue[];
  comparisons: ComparisonRow[];
  claims: ClaimRow[];
}

/** What became of a workload's claims; the verdicts of each figure are of one family. */
export function summarizeClaims(
  record: RunRecord,
  conditions: readonly Condition[],
  { comparisons: declared, published, claims }: Judgements,
): ClaimTable {
  const comparisons = compareAll(record, conditions, declared);
  const values = (published?.values ?? []).flatMap((value): PublishedValue[] => {
    const place = placeOf(conditions, value);
    if (place?.summary.outcome.state !== 'measured') return [];
    const figure = figureNamed(record, { figure: value.figure, role: 'server' }, place.load);
    const measured = figureOf(record, place.summary.cell, figure);
    if (measured.kind === 'none') return [];
    return [{ place, figure: value.figure, published: value.value, measured }];
  });
  return {
    source: published?.source ?? null,
    machine: published?.machine ?? null,
    values,
    comparisons,
    claims: claims.map(({ label, claim, because = null, test }) => {
      const ids = comparisonsOf(test);
      const rows = comparisons.filter((row) => ids.includes(row.declared.id));
      return { label, claim, because, rows, ...judge(test, rows, declared) };
    }),
  };
}

function compareAll(
  record: RunRecord,
  conditions: readonly Condition[],
  declared: readonly DeclaredComparison[],
): ComparisonRow[] {
  const found = declared
    .filter(({ cores = 1 }) => cores <= record.machine.parallelism)
    .flatMap((each) => {
      const [of, over] = [each.of, each.over].map((side) => {
        const { load, topology, target } = typeof side === 'string' ? { target: side } : side;
        const where = { load: load ?? each.load, topology: topology ?? each.topology };
        return placeOf(conditions, { target, ...where });
      });
      if (!of || !over) return [];
      return [{ declared: each, of, over, summary: of.summary, base: over.summary }];
    });
  const families = Map.groupBy(found, ({ declared: { figure, role } }) => `${figure} ${role}`);
  const rows = [...families.values()].flatMap((family) => {
    const [first] = family;
    if (first === undefined) return [];
    const figure = figureNamed(record, first.declared, first.of.load);
    return withComparison(compareFamily(record, family, figure)).map((row) => {
      const ofBase = spoiling(row.base.flags, figure.aspect);
      return { ...row, flags: uniqueFlags([...row.flags, ...ofBase]) };
    });
  });
  // As they are declared, whichever family they are of.
  return declared.flatMap((each) => rows.find((row) => row.declared === each) ?? []);
}

/** Where a cell was measured; `widest` is the topology with the most processes. */
function placeOf(
  conditions: readonly Condition[],
  {
    target,
    load,
    topology,
  }: Partial<Record<'load' | 'topology', string | undefined>> & { target: string },
): Place | undefined {
  const places = conditions
    .filter((condition) => condition.load.id === load)
    .flatMap((condition) => {
      const summary = condition.cells.find((each) => each.target.name === target);
      return summary ? [{ summary, load: condition.load, topology: condition.topology }] : [];
    });
  if (topology === 'widest') {
    return places.toSorted((a, b) => b.topology.processes - a.topology.processes)[0];
  }
  if (topology === undefined) return places.find((each) => isPlain(each.topology)) ?? places[0];
  return places.find(({ topology: { id, names } }) => id === topology || names.includes(topology));
}

type Judged = Pick<ClaimRow, 'outcome' | 'reason'>;

/** What a test says, by what was compared. */
export function judge(
  test: Test,
  comparisons: readonly ComparisonRow[],
  declared: readonly DeclaredComparison[],
): Judged {
  if ('needs' in test) return { outcome: 'not measured', reason: `it needs ${test.needs}` };
  if ('all' in test) return allOf(test.all.map((each) => judge(each, comparisons, declared)));
  const rowOf = (id: string) => comparisons.find((row) => row.declared.id === id);
  if ('compare' in test) {
    const row = rowOf(test.compare);
    if (row === undefined) return notMeasured(test.compare, declared);
    return { outcome: outcomeOf(row, test.expect), reason: null };
  }
  const [effect, other] = [rowOf(test.effect), rowOf(test.greaterThan)];
  if (effect === undefined) return notMeasured(test.effect, declared);
  if (other === undefined) return notMeasured(test.greaterThan, declared);
  return { outcome: fartherOff(effect, other), reason: null };
}

function notMeasured(id: string, declared: readonly DeclaredComparison[]): Judged {
  const cores = declared.find((each) => each.id === id)?.cores;
  const reason =
    cores === undefined ? `not both sides of "${id}" were measured` : `it needs ${cores} cores`;
  return { outcome: 'not measured', reason };
}

/** What all of several tests come to: one that does not hold decides, then one that was not measured. */
function allOf(parts: readonly Judged[]): Judged {
  const order: Outcome[] = ['does not hold', 'not measured', "can't tell"];
  const worst = order.flatMap((outcome) => parts.find((part) => part.outcome === outcome) ?? []);
  return worst[0] ?? { outcome: 'holds', reason: null };
}

function outcomeOf(
  { comparison, isKnown }: ComparisonRow,
  expect: Extract<Test, { compare: string }>['expect'],
): Outcome {
  const { ratio } = comparison;
  if (!isKnown || ratio.kind !== 'interval') return "can't tell";
  if (typeof expect !== 'string') {
    const [low, high] = expect;
    if (ratio.low >= low && ratio.high <= high) return 'holds';
    return ratio.high < low || ratio.low > high ? 'does not hold' : "can't tell";
  }
  const found = sizeOf(comparison);
  if (found === "can't tell") return found;
  return found === expect ? 'holds' : 'does not hold';
}

/** What the first is beside the second: more, less, or as much, whichever is the better. */
export function sizeOf({ verdict, ratio }: Comparison): 'more' | 'less' | 'same' | "can't tell" {
  if (verdict === 'same' || verdict === "can't tell") return verdict;
  return (pointOf(ratio) ?? 1) > 1 ? 'more' : 'less';
}

/** Whether the first ratio is further from 1 than the second, whichever way. */
function fartherOff(first: ComparisonRow, second: ComparisonRow): Outcome {
  const [one, other] = [first, second].map(distance);
  if (!one || !other) return "can't tell";
  if (one.least > other.most) return 'holds';
  return one.most < other.least ? 'does not hold' : "can't tell";
}

/** How far a ratio is from 1 at the least and at the most, on the log scale; null where it can't be told. */
function distance({
  comparison: { ratio },
  isKnown,
}: ComparisonRow): { least: number; most: number } | null {
  if (!isKnown || ratio.kind !== 'interval' || ratio.low <= 0) return null;
  const ends = [Math.abs(Math.log(ratio.low)), Math.abs(Math.log(ratio.high))];
  const holdsOne = ratio.low <= 1 && ratio.high >= 1;
  return { least: holdsOne ? 0 : Math.min(...ends), most: Math.max(...ends) };
}
