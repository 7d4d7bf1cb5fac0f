import { type Figure, figureOf } from '../figures/figures.ts';
import { type Estimate, pointOf } from '../math/statistics.ts';
import type { Comparison } from '../math/verdicts.ts';
import type { Load } from '../plan/loads.ts';
import { isPlain, type Topology } from '../plan/topology.ts';
import type { RunRecord } from '../record/record.ts';
import { withoutRuntime } from '../targets/copies.ts';
import { isSameRuntime, type Runtime, runtimeName } from '../targets/runtime.ts';
import { type Flag, isInvalid, isSpoiled, spoiling, uniqueFlags } from '../validity/flags.ts';
import {
  comparisonsOf,
  type DeclaredComparison,
  type DeclaredValue,
  type Judgements,
  type Test,
} from '../workload/declaration.ts';
import { type Compared, compareFamily, withComparison } from './compare-family.ts';
import type { CellSummary, Condition } from './conditions.ts';
import { figureNamed, SCALES } from './named-figures.ts';
import { runtimesOf } from './runtimes.ts';

/** A cell, and where it was measured. */
export interface Place {
  summary: CellSummary;
  load: Load;
  topology: Topology;
}

/** Two cells that a workload compares. */
export interface ComparisonRow {
  declared: DeclaredComparison;
  /** What both ran on; null in a run on the harness's own Node alone. */
  runtime: Runtime | null;
  of: Place;
  over: Place;
  comparison: Comparison;
  /** Why not to trust it. */
  flags: Flag[];
  /** Whether the interval is that of the figure itself: no flag spoils it, and it is no bound. */
  isKnown: boolean;
  /** The figure's own interval, or what of it is left where the generator was the limit of one of the two. */
  reach: { low: number; high: number } | null;
}

/** A published value beside the measured one, in the figure's base unit. */
export interface PublishedValue {
  declared: DeclaredValue;
  runtime: Runtime | null;
  place: Place;
  measured: Estimate;
  /** Whether no flag spoils it. */
  isKnown: boolean;
}

/** `only on …` names the runtimes on which it holds, where it does not on all others. */
export type Outcome =
  | 'holds'
  | 'does not hold'
  | "can't tell"
  | 'not measured'
  | `only on ${string}`;

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
  values: PublishedValue[];
  /** Whether it was judged by another figure than the published one. */
  isByOther: boolean;
  /** What of it was published, measured here or not. */
  published: { ratios: number[]; values: DeclaredValue[] };
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
  const on = runtimesOf(record);
  const runtimes = on.length === 0 ? [null] : on;
  const comparisons = compareAll(record, conditions, declared, runtimes);
  const values = (published?.values ?? []).flatMap((value) => {
    return runtimes.flatMap((runtime) => valueOn(record, conditions, value, runtime));
  });
  return {
    source: published?.source ?? null,
    machine: published?.machine ?? null,
    values,
    comparisons,
    claims: claims.map(({ label, claim, because = null, test }) => {
      const judged = runtimes.map((runtime) => {
        const isOn = (row: { runtime: Runtime | null }) => row.runtime === runtime;
        const own = { comparisons: comparisons.filter(isOn), values: values.filter(isOn) };
        return { runtime, ...judge(test, { ...own, declared }) };
      });
      const figures = publishedOf(test, declared, published?.values ?? []);
      return { label, claim, because, published: figures, ...onAll(judged) };
    }),
  };
}

/** What was published of the comparisons and values that a test goes by; of several that may do, the first. */
function publishedOf(
  test: Test,
  declared: readonly DeclaredComparison[],
  values: readonly DeclaredValue[],
): ClaimRow['published'] {
  if ('first' in test) return publishedOf({ all: test.first.slice(0, 1) }, declared, values);
  const parts = 'all' in test ? test.all.map((each) => publishedOf(each, declared, values)) : [];
  const ids = 'all' in test ? [] : comparisonsOf(test);
  const own = declared.filter(({ id }) => ids.includes(id));
  return {
    ratios: [
      ...parts.flatMap(({ ratios }) => ratios),
      ...own.flatMap((each) => each.published ?? []),
    ],
    values: [
      ...parts.flatMap((part) => part.values),
      ...('value' in test ? values.filter(({ id }) => id === test.value) : []),
    ],
  };
}

/** What a claim comes to on all runtimes together. */
function onAll(judged: readonly (Judged & { runtime: Runtime | null })[]): Judged {
  const rows = judged.flatMap((each) => each.rows);
  const values = judged.flatMap((each) => each.values);
  const isByOther = judged.some((each) => each.isByOther);
  const [first, ...others] = judged;
  if (first === undefined) throw new Error('a claim that is judged on no runtime');
  const names = Map.groupBy(judged, ({ outcome }) => outcome);
  if (names.size === 1 || others.length === 0) {
    return { outcome: first.outcome, reason: first.reason, rows, values, isByOther };
  }
  const on = (outcome: Outcome) => {
    return list.format(
      (names.get(outcome) ?? []).flatMap(({ runtime }) => (runtime ? runtimeName(runtime) : [])),
    );
  };
  if (names.size === 2 && names.has('holds') && names.has('does not hold')) {
    return { outcome: `only on ${on('holds')}`, reason: null, rows, values, isByOther };
  }
  const reason = [...names.keys()].map((outcome) => `${outcome} on ${on(outcome)}`).join(', ');
  return { outcome: "can't tell", reason, rows, values, isByOther };
}

const list = new Intl.ListFormat('en-GB');

/** A published value beside ours on a runtime; nothing where that was not measured. */
function valueOn(
  record: RunRecord,
  conditions: readonly Condition[],
  declared: DeclaredValue,
  runtime: Runtime | null,
): PublishedValue[] {
  const place = placeOf(conditions, declared, runtime);
  if (place?.summary.outcome.state !== 'measured') return [];
  const figure = figureNamed(record, declared, place.load);
  const measured = figureOf(record, place.summary.cell, figure);
  if (measured.kind === 'none') return [];
  const { flags } = place.summary;
  // Errors are counted right also of a server that had not settled.
  const isCount = declared.figure === 'errors' || declared.figure === 'error share';
  const isKnown = !(isCount ? isInvalid : isSpoiled)(flags, figure.aspect);
  return [{ declared, runtime, place, measured, isKnown }];
}

function compareAll(
  record: RunRecord,
  conditions: readonly Condition[],
  declared: readonly DeclaredComparison[],
  runtimes: readonly (Runtime | null)[],
): ComparisonRow[] {
  const measurable = declared.filter(({ cores = 1 }) => cores <= record.machine.parallelism);
  const found = measurable.flatMap((each) => {
    return runtimes.flatMap((runtime) => {
      const [of, over] = [each.of, each.over].map((side) => {
        const { load, topology, target } = typeof side === 'string' ? { target: side } : side;
        const where = { load: load ?? each.load, topology: topology ?? each.topology };
        return placeOf(conditions, { target, ...where }, runtime);
      });
      if (!of || !over || of.summary === over.summary) return [];
      return [{ declared: each, runtime, of, over, summary: of.summary, base: over.summary }];
    });
  });
  const families = Map.groupBy(found, ({ declared: { figure, role } }) => `${figure} ${role}`);
  const rows = [...families.values()].flatMap((family) => {
    const [first] = family;
    if (first === undefined) return [];
    const figure = figureNamed(record, first.declared, first.of.load);
    return withComparison(compareFamily(record, family, figure)).map((row) => {
      const ofBase = spoiling(row.base.flags, figure.aspect);
      const reach = reachOf(row, figure);
      return { ...row, flags: uniqueFlags([...row.flags, ...ofBase]), reach };
    });
  });
  // As they are declared, whichever family they are of.
  return declared.flatMap((each) => rows.filter((row) => row.declared === each));
}

/** Between what the ratio surely is. */
function reachOf(
  {
    comparison: { ratio },
    isKnown,
    isGeneratorBound: { own, base },
  }: Compared & { comparison: Comparison },
  { better }: Figure,
): ComparisonRow['reach'] {
  if (!isKnown || ratio.kind !== 'interval') return null;
  const [isAtLeast, isAtMost] = better === 'more' ? [own, base] : [base, own];
  return {
    low: isAtMost ? 0 : ratio.low,
    high: isAtLeast ? Number.POSITIVE_INFINITY : ratio.high,
  };
}

/** Where a cell was measured; `widest` is the topology with the most processes. */
function placeOf(
  conditions: readonly Condition[],
  {
    target,
    load,
    topology,
  }: {
    target: string;
    load?: string | undefined;
    topology?: DeclaredComparison['topology'];
  },
  runtime: Runtime | null,
): Place | undefined {
  const places = conditions
    .filter((condition) => condition.load.id === load)
    .flatMap((condition) => {
      const summary = condition.cells.find((each) => {
        // One with a command of its own is the same on every runtime.
        const isOn = each.target.runtime === null || isSameRuntime(each.target.runtime, runtime);
        return isOn && withoutRuntime(each.target).name === target;
      });
      return summary ? [{ summary, load: condition.load, topology: condition.topology }] : [];
    });
  if (Array.isArray(topology)) {
    const [first, ...others] = topology;
    const found = placeOf(conditions, { target, load, topology: first }, runtime);
    if (found !== undefined || others.length === 0) return found;
    return placeOf(conditions, { target, load, topology: others }, runtime);
  }
  if (topology === 'widest') {
    return places.toSorted((a, b) => b.topology.processes - a.topology.processes)[0];
  }
  if (topology === undefined) return places.find((each) => isPlain(each.topology)) ?? places[0];
  return places.find(({ topology: { id, names } }) => id === topology || names.includes(topology));
}

type Judged = Pick<ClaimRow, 'outcome' | 'reason' | 'rows' | 'values' | 'isByOther'>;

/** What a claim can be judged by. */
interface Evidence {
  comparisons: readonly ComparisonRow[];
  values: readonly PublishedValue[];
  declared: readonly DeclaredComparison[];
}

/** What a test says, by what was compared. */
function judge(test: Test, evidence: Evidence): Judged {
  if ('needs' in test) return notMeasured(`it needs ${test.needs}`);
  if ('all' in test) return allOf(test.all.map((each) => judge(each, evidence)));
  if ('first' in test) return firstOf(test.first.map((each) => judge(each, evidence)));
  if ('value' in test) {
    const value = evidence.values.find(({ declared }) => declared.id === test.value);
    if (value === undefined) return notMeasured(`"${test.value}" was not measured`);
    const outcome = within(scaled(value), test.expect);
    return { outcome, reason: null, rows: [], values: [value], isByOther: false };
  }
  const ids = comparisonsOf(test);
  const rows = ids.flatMap((id) => {
    return evidence.comparisons.find((row) => row.declared.id === id) ?? [];
  });
  const missing = ids.find((id) => rows.every((row) => row.declared.id !== id));
  if (missing !== undefined) return { ...notCompared(missing, evidence), rows };
  const [row, other] = rows;
  if (row === undefined) throw new Error('a test that compares nothing');
  const outcome =
    'compare' in test ? outcomeOf(row, test.expect) : other ? fartherOff(row, other) : "can't tell";
  return { outcome, reason: null, rows, values: [], isByOther: false };
}

function notMeasured(reason: string): Judged {
  return { outcome: 'not measured', reason, rows: [], values: [], isByOther: false };
}

function notCompared(id: string, { declared }: Evidence): Judged {
  const cores = declared.find((each) => each.id === id)?.cores;
  return notMeasured(
    cores === undefined ? `not both sides of "${id}" were measured` : `it needs ${cores} cores`,
  );
}

/** What all of several tests come to: one that does not hold decides, then one that was not measured. */
function allOf(parts: readonly Judged[]): Judged {
  const order: Outcome[] = ['does not hold', 'not measured', "can't tell"];
  const [worst] = order.flatMap((outcome) => parts.find((part) => part.outcome === outcome) ?? []);
  const rows = [...new Set(parts.flatMap((part) => part.rows))];
  const values = [...new Set(parts.flatMap((part) => part.values))];
  const isByOther = parts.some((part) => part.isByOther);
  const { outcome, reason } = worst ?? { outcome: 'holds', reason: null };
  return { outcome, reason, rows, values, isByOther };
}

/** The first of several that is told, or else the first that was measured. */
function firstOf(parts: readonly Judged[]): Judged {
  const told = parts.find(({ outcome }) => outcome === 'holds' || outcome === 'does not hold');
  const measured = parts.find(({ outcome }) => outcome !== 'not measured');
  const [first] = parts;
  const found = told ?? measured ?? first ?? notMeasured('nothing says what it is judged by');
  return found === first ? found : { ...found, isByOther: true };
}

function outcomeOf(
  { comparison, isKnown, reach }: ComparisonRow,
  expect: Extract<Test, { compare: string }>['expect'],
): Outcome {
  if (!isKnown || comparison.ratio.kind !== 'interval') return "can't tell";
  if (typeof expect !== 'string') return within(reach, expect);
  const found = sizeOf(comparison);
  if (found === "can't tell") return found;
  return found === expect ? 'holds' : 'does not hold';
}

/** Whether all of an interval is within a range, or none of it. */
function within(found: ComparisonRow['reach'], [low, high]: readonly [number, number]): Outcome {
  if (found === null) return "can't tell";
  if (found.low >= low && found.high <= high) return 'holds';
  return found.high < low || found.low > high ? 'does not hold' : "can't tell";
}

/** The interval of a value in the unit of its figure. */
function scaled({ declared, measured, isKnown }: PublishedValue): ComparisonRow['reach'] {
  if (!isKnown || measured.kind !== 'interval') return null;
  const scale = SCALES[declared.figure];
  return { low: measured.low / scale, high: measured.high / scale };
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
