import { slicesOf, sum } from '../figures/figures.ts';
import { type Part, partKey, type Side, type WhereTime, whereIn } from '../figures/where.ts';
import { type Estimate, estimate, pointOf, type Sample } from '../math/statistics.ts';
import type { Cell } from '../plan/plan.ts';
import type { Charged } from '../record/profile.ts';
import { type RunRecord, type Slice, targetOf } from '../record/record.ts';
import type { Target } from '../targets/targets.ts';

/** What a part takes of a request of a target, and what more than of a request of its base, ns. */
export interface PartCost {
  part: Part;
  ns: Estimate;
  /** None for a target that is built on nothing. */
  more: Estimate;
  /** In the mean of all launches, the costliest first. */
  functions: Charged[];
  /** The same of what they take more than in the base, file by file. */
  files: { file: string; moreNs: number }[];
}

/** Where the CPU time of a target's requests goes, ns. */
export interface Where {
  target: Target;
  /** What it is built on, where that was measured. */
  over: Target | null;
  measured: Estimate;
  more: Estimate;
  /** The sum of all parts. */
  together: Estimate;
  /** What sampling added; it is off all parts. */
  sampling: Estimate;
  /** The costliest first. */
  parts: PartCost[];
}

/** Where a launch of a target's requests went. */
interface Launch {
  launch: number;
  time: WhereTime;
}

/** Where the time of each target went, as the plan has them; without those that were not sampled. */
export function summarizeWhere(record: RunRecord): Where[] {
  const sampled = record.plan.cells.filter(({ arrangement }) => arrangement === 'profiled');
  const launches = new Map(sampled.map((cell) => [cell.target, launchesOf(record, cell)]));
  return sampled.flatMap((cell): Where[] => {
    const own = launches.get(cell.target) ?? [];
    if (own.length === 0) return [];
    const target = targetOf(record, cell.target);
    const base = launches.get(target.over ?? '') ?? [];
    const over = base.length > 0 && target.over !== null ? targetOf(record, target.over) : null;
    return [whereOf(target, over, own, base)];
  });
}

function launchesOf(record: RunRecord, cell: Cell): Launch[] {
  const { cells } = record.plan;
  const plain = cells.find(({ server, load, arrangement }) => {
    return server === cell.server && load === cell.load && arrangement === 'standard';
  });
  if (plain === undefined) return [];
  const [without, within] = [slicesOf(record, plain), slicesOf(record, cell)];
  const isOf = (launch: number) => (each: { launch: number }) => each.launch === launch;
  const numbers = [...new Set(within.map(({ launch }) => launch))];
  return numbers.flatMap((launch): Launch[] => {
    const profile = record.profiles.filter(isOf(launch)).find((each) => each.cell === cell.id);
    const sideOf = (of: Cell, slices: readonly Slice[]): Side => {
      const collected = record.collected.filter(isOf(launch)).find((each) => each.cell === of.id);
      return { slices: slices.filter(isOf(launch)), collectedNs: collected?.ns ?? null };
    };
    const time = whereIn(sideOf(plain, without), sideOf(cell, within), profile);
    return time === null ? [] : [{ launch, time }];
  });
}

function whereOf(
  target: Target,
  over: Target | null,
  own: readonly Launch[],
  base: readonly Launch[],
): Where {
  const parts = new Map(
    [...own, ...(over === null ? [] : base)].flatMap(({ time }) => {
      return time.parts.map(({ part }) => [partKey(part), part] as const);
    }),
  );
  const costs = [...parts].map(([key, part]): PartCost => {
    const functions = functionsOf(own, key);
    return {
      part,
      ns: estimate(samplesOf(own, (time) => nsOf(time, key))),
      more: estimate(moreOf(own, base, (time) => nsOf(time, key))),
      functions,
      files: filesOf(functions, functionsOf(base, key)),
    };
  });
  const together = (time: WhereTime) => sum(time.parts, ({ ns }) => ns);
  return {
    target,
    over,
    measured: estimate(samplesOf(own, ({ measuredNs }) => measuredNs)),
    more: estimate(moreOf(own, base, ({ measuredNs }) => measuredNs)),
    together: estimate(samplesOf(own, together)),
    sampling: estimate(samplesOf(own, ({ samplingNs }) => samplingNs)),
    parts: costs.toSorted((a, b) => (pointOf(b.ns) ?? 0) - (pointOf(a.ns) ?? 0)),
  };
}

function samplesOf(launches: readonly Launch[], value: (time: WhereTime) => number): Sample[] {
  return launches.map(({ launch, time }) => ({ launch, value: value(time) }));
}

/** What a target takes more than its base in each launch that has both: there the machine was the same. */
function moreOf(
  own: readonly Launch[],
  base: readonly Launch[],
  value: (time: WhereTime) => number,
): Sample[] {
  return own.flatMap(({ launch, time }) => {
    const other = base.find((each) => each.launch === launch);
    return other === undefined ? [] : [{ launch, value: value(time) - value(other.time) }];
  });
}

function nsOf(time: WhereTime, key: string): number {
  return time.parts.find(({ part }) => partKey(part) === key)?.ns ?? 0;
}

/** The functions of a part, each in the mean of all launches. */
function functionsOf(launches: readonly Launch[], key: string): Charged[] {
  const all = launches.flatMap(({ time }) => {
    return time.parts.filter(({ part }) => partKey(part) === key).flatMap((each) => each.functions);
  });
  const same = Map.groupBy(all, ({ name, file, line }) => JSON.stringify([name, file, line]));
  return [...same.values()]
    .flatMap((each): Charged[] => {
      const [first] = each;
      return first === undefined
        ? []
        : [{ ...first, ns: sum(each, ({ ns }) => ns) / launches.length }];
    })
    .toSorted((a, b) => b.ns - a.ns);
}

function filesOf(own: readonly Charged[], base: readonly Charged[]): PartCost['files'] {
  const names = new Set(own.flatMap(({ file }) => file ?? []));
  const nsIn = (functions: readonly Charged[], name: string) => {
    return sum(functions, ({ file, ns }) => (file === name ? ns : 0));
  };
  return [...names]
    .map((file) => ({ file, moreNs: nsIn(own, file) - nsIn(base, file) }))
    .toSorted((a, b) => b.moreNs - a.moreNs);
}
