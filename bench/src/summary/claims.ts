import { samples, slicesOf } from '../figures/figures.ts';
import { type Estimate, estimate } from '../math/statistics.ts';
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
import { compareCells } from './compare-cells.ts';
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
    const { target, load, topology } = value;
    const place = placeOf(conditions, { target, load, topology });
    if (place?.summary.outcome.state !== 'measured') return [];
    const { figure } = figureNamed(record, { figure: value.figure, role: 'server' }, place.load);
    const measured = estimate(samples(slicesOf(record, place.summary.cell), figure));
    return [{ place, figure: value.figure, published: value.value, measured }];
  });
  return {
    source: published?.source ?? null,
    machine: published?.machine ?? null,
    values: values.filter(({ measured }) => measured.kind !== 'none'),
    comparisons,
    claims: claims.map(({ label, claim, because = null, test }) => {
      const { outcome, reason } = judge(test, comparisons, declared);
      const ids = comparisonsOf(test);
      const rows = comparisons.filter((row) => ids.includes(row.declared.id));
      return { label, claim, because, outcome, reason, rows };
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
        const { load, topology, ...target } = typeof side === 'string' ? { target: side } : side;
        return placeOf(conditions, {
          ...target,
          load: load ?? each.load,
          topology: topology ?? each.topology,
        });
      });
      return of && over ? [{ declared: each, of, over }] : [];
    });
  const families = Map.groupBy(found, ({ declared: { figure, role } }) => `${figure} ${role}`);
  const rows = [...families.values()].flatMap((family) => {
    const [first] = family;
    if (first === undefined) return [];
    const named = figureNamed(record, first.declared, first.of.load);
    const pairs = family.map(({ of, over }) => ({ own: of.summary, base: over.summary }));
    return compareCells(record, pairs, named).flatMap((pair, index): ComparisonRow[] => {
      const row = family[index];
      if (row === undefined || !pair.isPaired) return [];
      const { comparison, isKnown } = pair;
      const flags = uniqueFlags([...pair.flags, ...spoiling(row.over.summary.flags, named.aspect)]);
      return [{ ...row, comparison, flags, isKnown }];
    });
  });
  // As they are declared, whichever family they are of.
  return declared.flatMap((each) => rows.find((row) => row.declared === each) ?? []);
}

/** Where a cell was measured; `widest` is the topology with the most processes. */
function placeOf(
  conditions: readonly Condition[],
  { target, load, topology }: Record<'load' | 'topology', string | undefined> & { target: string },
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
  const ids = comparisonsOf(test);
  const [first, second] = ids.map((id) => comparisons.find(({ declared }) => declared.id === id));
  const missing = ids.find((id) => comparisons.every(({ declared }) => declared.id !== id));
  if (first === undefined || missing !== undefined) {
    const cores = declared.find(({ id }) => id === missing)?.cores;
    const reason =
      cores === undefined
        ? `not both sides of "${missing}" were measured`
        : `it needs ${cores} cores`;
    return { outcome: 'not measured', reason };
  }
  if ('compare' in test) return { outcome: outcomeOf(first, test.expect), reason: null };
  return { outcome: second ? fartherOff(first, second) : "can't tell", reason: null };
}

/** What all of several tests come to: one that does not hold decides, then one that was not measured. */
function allOf(parts: readonly Judged[]): Judged {
  const order: Outcome[] = ['does not hold', 'not measured', "can't tell"];
  const worst = order.flatMap((outcome) => parts.find((part) => part.outcome === outcome) ?? []);
  return worst[0] ?? { outcome: 'holds', reason: null };
}

function outcomeOf(
  { comparison: { ratio, verdict }, isKnown }: ComparisonRow,
  expect: Extract<Test, { compare: string }>['expect'],
): Outcome {
  if (!isKnown || ratio.kind !== 'interval') return "can't tell";
  if (typeof expect !== 'string') {
    const [low, high] = expect;
    if (ratio.low >= low && ratio.high <= high) return 'holds';
    return ratio.high < low || ratio.low > high ? 'does not hold' : "can't tell";
  }
  if (verdict === "can't tell") return verdict;
  const found = verdict === 'same' ? verdict : ratio.value > 1 ? 'more' : 'less';
  return found === expect ? 'holds' : 'does not hold';
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
