import { CPU, type Figure, launchesOf, samples, slicesOf, sum } from '../figures/figures.ts';
import {
  type Part,
  partKey,
  type Side,
  serverTimeIn,
  type WhereTime,
  whereIn,
} from '../figures/where.ts';
import {
  difference,
  type Estimate,
  estimate,
  pointOf,
  ratio,
  type Sample,
} from '../math/statistics.ts';
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
  /**
   * That sum over what the same server takes in a process that nobody samples, and that could not be; the intervals
   * of all targets hold together. None where there is no such server.
   */
  overUnsampled: Estimate;
  /** Off is what differs beyond its errors, and not by so little that it counts as the same. */
  agreement: 'agrees' | 'off' | "can't tell";
  /** What sampling added; it is off all parts. */
  sampling: Estimate;
  /** The costliest first. */
  parts: PartCost[];
}

const UNSAMPLED = '@unsampled';

/** The name of the server that a target is held against: itself, started without what the sampler needs. */
export function unsampledName(name: string): string {
  return name + UNSAMPLED;
}

/** The name of the target that such a server is of; null for any other server. */
export function sampledName(name: string): string | null {
  return name.endsWith(UNSAMPLED) ? name.slice(0, -UNSAMPLED.length) : null;
}

/** The chance that any of the targets' intervals misses. */
const ALPHA = 0.05;

/** Where a launch of a target's requests went. */
interface Launch {
  launch: number;
  time: WhereTime;
}

/** Where the time of each target went, as the plan has them; without those that were not sampled. */
export function summarizeWhere(record: RunRecord): Where[] {
  const sampled = record.plan.cells.filter(({ arrangement }) => arrangement === 'profiled');
  const launches = new Map(sampled.map((cell) => [cell.target, timesOf(record, cell)]));
  return sampled.flatMap((cell): Where[] => {
    const own = launches.get(cell.target) ?? [];
    if (own.length === 0) return [];
    const target = targetOf(record, cell.target);
    const base = launches.get(target.over ?? '') ?? [];
    const over = base.length > 0 && target.over !== null ? targetOf(record, target.over) : null;
    const unsampled = samples(unsampledSlices(record, cell), UNSAMPLED_TIME);
    const sides = { own: samplesOf(own, partsTogether), other: unsampled };
    const overUnsampled = ratio(sides, 1 - ALPHA / sampled.length);
    const agreement = agreementOf(overUnsampled, record.plan.equivalence);
    return [{ ...whereOf(target, over, own, base), overUnsampled, agreement }];
  });
}

const UNSAMPLED_TIME: Figure = { ...CPU, inLaunch: serverTimeIn };

function unsampledSlices(record: RunRecord, { target, topology, load }: Cell): Slice[] {
  const cell = record.plan.cells.find((each) => {
    return (
      each.target === unsampledName(target) && each.topology === topology && each.load === load
    );
  });
  return cell === undefined ? [] : slicesOf(record, cell);
}

/** An interval that is wider says of no sum that it agrees. */
const TOLERANCE = 0.2;

function agreementOf(times: Estimate, equivalence: number): Where['agreement'] {
  if (times.kind !== 'interval') return "can't tell";
  const isWithin = (share: number) => times.low >= 1 - share && times.high <= 1 + share;
  if (!isWithin(equivalence) && (times.low > 1 || times.high < 1)) return 'off';
  return isWithin(TOLERANCE) ? 'agrees' : "can't tell";
}

function partsTogether({ parts }: WhereTime): number {
  return sum(parts, ({ ns }) => ns);
}

function timesOf(record: RunRecord, cell: Cell): Launch[] {
  const { cells } = record.plan;
  const plain = cells.find(({ server, load, arrangement }) => {
    return server === cell.server && load === cell.load && arrangement === 'standard';
  });
  if (plain === undefined) return [];
  const [without, within] = [slicesOf(record, plain), slicesOf(record, cell)];
  return [...launchesOf(within)].flatMap((launch): Launch[] => {
    const find = <T extends { launch: number; cell: string }>(all: readonly T[], of: Cell) => {
      return all.find((each) => each.launch === launch && each.cell === of.id);
    };
    const sideOf = (of: Cell, slices: readonly Slice[]): Side => ({
      slices: slices.filter((each) => each.launch === launch),
      collectedNs: find(record.collected, of)?.ns ?? null,
    });
    const profile = find(record.profiles, cell);
    const time = whereIn(sideOf(plain, without), sideOf(cell, within), profile);
    return time === null ? [] : [{ launch, time }];
  });
}

function whereOf(
  target: Target,
  over: Target | null,
  own: readonly Launch[],
  base: readonly Launch[],
): Omit<Where, 'overUnsampled' | 'agreement'> {
  const parts = new Map(
    [...own, ...(over === null ? [] : base)].flatMap(({ time }) => {
      return time.parts.map(({ part }) => [partKey(part), part] as const);
    }),
  );
  const more = (value: (time: WhereTime) => number) => {
    return difference({ own: samplesOf(own, value), other: samplesOf(base, value) });
  };
  const costs = [...parts].map(([key, part]): PartCost => {
    const ns = (time: WhereTime) => nsOf(time, key);
    const functions = functionsOf(own, key);
    const files = filesOf(functions, functionsOf(base, key));
    return { part, ns: estimate(samplesOf(own, ns)), more: more(ns), functions, files };
  });
  return {
    target,
    over,
    measured: estimate(samplesOf(own, ({ measuredNs }) => measuredNs)),
    more: more(({ measuredNs }) => measuredNs),
    together: estimate(samplesOf(own, partsTogether)),
    sampling: estimate(samplesOf(own, ({ samplingNs }) => samplingNs)),
    parts: costs.toSorted((a, b) => (pointOf(b.ns) ?? 0) - (pointOf(a.ns) ?? 0)),
  };
}

function samplesOf(launches: readonly Launch[], value: (time: WhereTime) => number): Sample[] {
  return launches.map(({ launch, time }) => ({ launch, value: value(time) }));
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
