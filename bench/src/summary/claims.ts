import type { Figure } from '../figures/figures.ts';
import { ENOUGH_FOR_P99, isEnoughForP99 } from '../figures/latency.ts';
import { mapEstimate, pointOf, type Range } from '../math/statistics.ts';
import type { Comparison } from '../math/verdicts.ts';
import { isPlain } from '../plan/topology.ts';
import { withoutRuntime } from '../targets/copies.ts';
import { isSameRuntime, type Runtime, runtimeName } from '../targets/runtime.ts';
import { isInvalid, isSpoiled, spoiling } from '../validity/flags.ts';
import {
  comparisonsOf,
  type DeclaredComparison,
  type DeclaredValue,
  type Judgements,
  type Test,
} from '../workload/declaration.ts';
import { type CellComparison, compareFamily } from './compare-family.ts';
import { runtimesOf } from './comparisons.ts';
import { figureNamed, scaleOf } from './named-figures.ts';
import { type CellSummary, type Condition, estimateOf, type Summary } from './summary.ts';

export type ComparisonRow = ReturnType<typeof compareAll>[number];
/** A published value and the measured one, in the figure's base unit. */
export type PublishedValue = ReturnType<typeof valueOn>[number];
export type ClaimTable = ReturnType<typeof summarizeClaims>;
export type ClaimRow = ClaimTable['claims'][number];

/** `only on …` names the runtimes on which it holds, if it does not on all others. */
export type Outcome =
  | 'holds'
  | 'does not hold'
  | "can't tell"
  | 'not measured'
  | `only on ${string}`;

interface Judgement {
  outcome: Outcome;
  /** Why it was not measured, or what it is on each runtime; null also if the run left it out. */
  reason: string | null;
  /** What it is based on, as far as it was measured. */
  rows: ComparisonRow[];
  values: PublishedValue[];
  /** Whether it is based on another figure than the published one. */
  isByOther: boolean;
}

/** The claims of a workload, and whether they hold. The verdicts on each figure are one family. */
export function summarizeClaims(summary: Summary, judgements: Judgements) {
  const { record, conditions } = summary;
  const { comparisons: declared, published } = judgements;
  const named = runtimesOf(record);
  const runtimes = named.length === 0 ? [null] : named;
  const comparisons = compareAll(summary, declared, runtimes);
  const values = (published?.values ?? []).flatMap((value) => {
    return runtimes.flatMap((runtime) => valueOn(conditions, value, runtime));
  });
  const claims = judgements.claims.map(({ label, claim, because = null, test }) => {
    const judged = runtimes.map((runtime) => {
      const isOn = (row: { runtime: Runtime | null }) => row.runtime === runtime;
      const own = { comparisons: comparisons.filter(isOn), values: values.filter(isOn) };
      return { runtime, ...judge(test, { ...own, declared }) };
    });
    return { label, claim, because, published: publishedOf(test, judgements), ...onAll(judged) };
  });
  const { source = null, machine = null } = published ?? {};
  return { source, machine, values, comparisons, claims };
}

/** What was published about a test, whether it was measured here or not; of several alternatives, about the first. */
function publishedOf(test: Test, { comparisons, published }: Judgements) {
  const single = singleTests(test);
  const compared = single.flatMap((each) => {
    const ids = comparisonsOf(each);
    return comparisons.filter(({ id }) => ids.includes(id));
  });
  const values = single.flatMap((each) => {
    return published?.values.filter(({ id }) => 'value' in each && id === each.value) ?? [];
  });
  return { ratios: compared.flatMap((each) => each.published ?? []), values };
}

function singleTests(test: Test): Test[] {
  if ('all' in test) return test.all.flatMap(singleTests);
  return 'first' in test ? test.first.slice(0, 1).flatMap(singleTests) : [test];
}

function onAll(judged: readonly (Judgement & { runtime: Runtime | null })[]): Judgement {
  const [first] = judged;
  if (first === undefined) throw new Error('a claim that is judged on no runtime');
  const evidence = evidenceOf(judged);
  const outcomes = Map.groupBy(judged, ({ outcome }) => outcome);
  if (outcomes.size === 1) return { ...evidence, outcome: first.outcome, reason: first.reason };
  const on = (outcome: Outcome) => {
    const those = outcomes.get(outcome) ?? [];
    return list.format(those.flatMap(({ runtime }) => (runtime ? runtimeName(runtime) : [])));
  };
  if (outcomes.size === 2 && outcomes.has('holds') && outcomes.has('does not hold')) {
    return { ...evidence, outcome: `only on ${on('holds')}`, reason: null };
  }
  const reason = [...outcomes.keys()].map((outcome) => `${outcome} on ${on(outcome)}`).join(', ');
  return { ...evidence, outcome: "can't tell", reason };
}

const list = new Intl.ListFormat('en-GB');

/** A published value and ours on a runtime, null for the harness's own Node; empty if it was not measured. */
function valueOn(conditions: Condition[], declared: DeclaredValue, runtime: Runtime | null) {
  const place = placeOf(conditions, declared, runtime);
  if (!place?.figures) return [];
  const figure = figureNamed(place.record, declared);
  const measured = estimateOf(place, figure);
  if (measured.kind === 'none') return [];
  // Errors are counted correctly even if the server had not settled.
  const isCount = declared.figure === 'errors' || declared.figure === 'error share';
  const isKnown = !(isCount ? isInvalid : isSpoiled)(place.flags, figure.aspect);
  const inUnit = mapEstimate(measured, (value) => value / scaleOf(declared.figure));
  /** Its interval in the unit of the figure. */
  const reach = isKnown && inUnit.kind === 'interval' ? inUnit : null;
  return [{ ...place, declared, runtime, measured, isKnown, reach }];
}

function compareAll(
  { record, conditions }: Summary,
  declared: readonly DeclaredComparison[],
  runtimes: readonly (Runtime | null)[],
) {
  const measurable = declared.filter(({ cores = 1 }) => cores <= record.machine.parallelism);
  const found = measurable.flatMap((each) => {
    return runtimes.flatMap((runtime) => {
      const [of, over] = [each.of, each.over].map((side) => {
        const own = typeof side === 'string' ? { target: side } : side;
        const { target, load = each.load, topology = each.topology } = own;
        return placeOf(conditions, { figure: each.figure, target, load, topology }, runtime);
      });
      if (!of || !over || of === over) return [];
      return [{ ...of, base: over, declared: each, runtime }];
    });
  });
  const families = Map.groupBy(found, ({ declared: { figure, role } }) => `${figure} ${role}`);
  const rows = [...families.values()].flatMap((family) => {
    const [first] = family;
    if (first === undefined) return [];
    const figure = figureNamed(record, first.declared);
    return compareFamily(family, figure).flatMap(({ comparison, ...row }) => {
      if (comparison === null) return [];
      const flags = [...comparison.flags, ...spoiling(row.base.flags, figure.aspect)];
      const reach = comparison.isKnown ? reachOf(comparison, figure) : null;
      return [{ ...row, comparison: { ...comparison, flags }, reach }];
    });
  });
  // In the order of the declaration, not of the families.
  return declared.flatMap((each) => rows.filter((row) => row.declared === each));
}

/** The interval of a ratio; open at one end if the generator was the limit of one of the two. */
function reachOf({ ratio, isLowerBound }: CellComparison, { better }: Figure) {
  if (ratio.kind !== 'interval') return null;
  const { first, second } = isLowerBound;
  const [isAtLeast, isAtMost] = better === 'more' ? [first, second] : [second, first];
  return {
    low: isAtMost ? 0 : ratio.low,
    high: isAtLeast ? Number.POSITIVE_INFINITY : ratio.high,
  };
}

/** The cell of a target on a runtime, if it has answers enough for the figure. `widest` has the most processes. */
function placeOf(
  conditions: readonly Condition[],
  place: { target: string } & Pick<DeclaredComparison, 'figure' | 'load' | 'topology'>,
  runtime: Runtime | null,
): CellSummary | undefined {
  const { figure, target, load, topology } = place;
  const cells = conditions.flatMap((condition) => {
    if (condition.load.id !== load) return [];
    const cell = condition.cells.find((each) => {
      // A target with a command of its own is the same on every runtime.
      const isOn = each.target.runtime === null || isSameRuntime(each.target.runtime, runtime);
      return isOn && withoutRuntime(each.target).name === target;
    });
    return cell ?? [];
  });
  const named = (name: string | undefined) => {
    if (name === undefined) return cells.find((each) => isPlain(each.topology)) ?? cells[0];
    if (name !== 'widest') {
      return cells.find(({ topology: { id, names } }) => id === name || names.includes(name));
    }
    const [widest] = cells.toSorted((a, b) => b.topology.processes - a.topology.processes);
    return widest;
  };
  const [first] = [topology].flat().flatMap((name) => named(name) ?? []);
  if (figure !== 'p99' || !first?.figures) return first;
  return isEnoughForP99(first.figures.ok) ? first : undefined;
}

interface Evidence {
  comparisons: readonly ComparisonRow[];
  values: readonly PublishedValue[];
  declared: readonly DeclaredComparison[];
}

function judgement(outcome: Outcome, parts: Partial<Judgement> = {}): Judgement {
  return { outcome, reason: null, rows: [], values: [], isByOther: false, ...parts };
}

function evidenceOf(parts: readonly Judgement[]): Omit<Judgement, 'outcome' | 'reason'> {
  return {
    rows: [...new Set(parts.flatMap(({ rows }) => rows))],
    values: [...new Set(parts.flatMap(({ values }) => values))],
    isByOther: parts.some(({ isByOther }) => isByOther),
  };
}

function judge(test: Test, evidence: Evidence): Judgement {
  if ('needs' in test) return judgement('not measured', { reason: `it needs ${test.needs}` });
  if ('all' in test) return allOf(test.all.map((each) => judge(each, evidence)));
  if ('first' in test) return firstOf(test.first.map((each) => judge(each, evidence)));
  if ('value' in test) {
    const value = evidence.values.find(({ declared }) => declared.id === test.value);
    return value === undefined
      ? judgement('not measured')
      : judgement(within(value.reach, test.expect), { values: [value] });
  }
  const ids = comparisonsOf(test);
  const rows = ids.flatMap((id) => {
    return evidence.comparisons.find((row) => row.declared.id === id) ?? [];
  });
  const missing = ids.find((id) => rows.every((row) => row.declared.id !== id));
  if (missing !== undefined) {
    const declared = evidence.declared.find(({ id }) => id === missing);
    return judgement('not measured', { reason: reasonFor(declared), rows });
  }
  const [row, other = row] = rows;
  if (row === undefined || other === undefined) throw new Error('a test that compares nothing');
  const outcome = 'compare' in test ? outcomeOf(row, test.expect) : fartherOff(row, other);
  return judgement(outcome, { rows });
}

/** What a comparison needs that the run did not have; null if the run left a side of it out. */
function reasonFor(declared: DeclaredComparison | undefined): string | null {
  if (declared?.cores !== undefined) return `it needs ${declared.cores} cores`;
  if (declared?.figure !== 'p99') return null;
  return `it needs ${ENOUGH_FOR_P99.toLocaleString('en')} answers from each`;
}

/** The result of all of several tests: one that does not hold decides, then one that was not measured. */
function allOf(parts: readonly Judgement[]): Judgement {
  const order: Outcome[] = ['does not hold', 'not measured', "can't tell"];
  const [worst] = order.flatMap((outcome) => parts.find((part) => part.outcome === outcome) ?? []);
  const { outcome, reason } = worst ?? judgement('holds');
  return { ...evidenceOf(parts), outcome, reason };
}

/** The first of several that holds or does not, or else the first that was measured. */
function firstOf(parts: readonly Judgement[]): Judgement {
  const decided = parts.find(({ outcome }) => outcome === 'holds' || outcome === 'does not hold');
  const measured = parts.find(({ outcome }) => outcome !== 'not measured');
  const found = decided ?? measured ?? parts[0];
  if (found === undefined) throw new Error('a test without alternatives');
  return found === parts[0] ? found : { ...found, isByOther: true };
}

type Expectation = Extract<Test, { compare: string }>['expect'];

function outcomeOf({ comparison, reach }: ComparisonRow, expect: Expectation): Outcome {
  if (reach === null) return "can't tell";
  if (typeof expect !== 'string') return within(reach, expect);
  const found = sizeOf(comparison);
  if (found === "can't tell") return found;
  return found === expect ? 'holds' : 'does not hold';
}

/** Whether all of an interval is within a range, or none of it. */
function within(found: Range | null, [low, high]: readonly [number, number]): Outcome {
  if (found === null) return "can't tell";
  if (found.low >= low && found.high <= high) return 'holds';
  return found.high < low || found.low > high ? 'does not hold' : "can't tell";
}

/** Whether the first is more than the second, less, or the same, whichever is the better. */
export function sizeOf({ verdict, ratio }: Comparison): 'more' | 'less' | 'same' | "can't tell" {
  if (verdict === 'same' || verdict === "can't tell") return verdict;
  return (pointOf(ratio) ?? 1) > 1 ? 'more' : 'less';
}

/** Whether the first ratio is farther from 1 than the second, in either direction. */
function fartherOff(first: ComparisonRow, second: ComparisonRow): Outcome {
  const [one, other] = [first, second].map(distance);
  if (!one || !other) return "can't tell";
  if (one.low > other.high) return 'holds';
  return one.high < other.low ? 'does not hold' : "can't tell";
}

/** The least and the greatest distance of a ratio from 1, on the log scale; null if it is unknown. */
function distance({ comparison: { ratio, isKnown } }: ComparisonRow): Range | null {
  if (!isKnown || ratio.kind !== 'interval' || ratio.low <= 0) return null;
  const ends = [Math.abs(Math.log(ratio.low)), Math.abs(Math.log(ratio.high))];
  const holdsOne = ratio.low <= 1 && ratio.high >= 1;
  return { low: holdsOne ? 0 : Math.min(...ends), high: Math.max(...ends) };
}
