import { launchesOf, samples, slicesOf, sum } from '../figures/figures.ts';
import { serverTimeIn, type WhereTime, whereIn } from '../figures/where.ts';
import { ALPHA, difference, type Estimate, estimate, pointOf, ratio } from '../math/statistics.ts';
import type { Cell } from '../plan/plan.ts';
import { mergeFunctions, type ProfiledFunction } from '../record/profile.ts';
import { type RunRecord, targetOf } from '../record/record.ts';

export type Where = ReturnType<typeof summarizeWhere>[number];
/** The CPU time of a request that is charged to a part, and the difference to the base, ns. */
export type PartCost = Where['parts'][number];

const UNSAMPLED = '@unsampled';

/** The name of a target's unsampled server: itself, started without what the sampler needs. */
export function unsampledName(name: string): string {
  return name + UNSAMPLED;
}

/** The name of the target of an unsampled server; null for any other server. */
export function sampledName(name: string): string | null {
  return name.endsWith(UNSAMPLED) ? name.slice(0, -UNSAMPLED.length) : null;
}

type LaunchTime = WhereTime & { launch: number };

/** Where the time of each target went, in the order of the plan; without targets that were not sampled. */
export function summarizeWhere(record: RunRecord) {
  const { cells, equivalence } = record.plan;
  const sampled = cells.filter(({ arrangement }) => arrangement === 'profiled');
  const launches = new Map(sampled.map((cell) => [cell.target, timesOf(record, cell)]));
  return sampled.flatMap((cell) => {
    const own = launches.get(cell.target) ?? [];
    if (own.length === 0) return [];
    const target = targetOf(record, cell.target);
    const base = launches.get(target.over ?? '') ?? [];
    /** The target that it is built on, if that was measured. */
    const over = base.length > 0 && target.over !== null ? targetOf(record, target.over) : null;
    const unsampled = cells.find((each) => {
      const isOf = each.target === unsampledName(cell.target);
      return isOf && each.topology === cell.topology && each.load === cell.load;
    });
    const slices = unsampled ? slicesOf(record, unsampled) : [];
    const other = samples(slices, { inLaunch: serverTimeIn });
    const sides = { own: samplesOf(own, partsTogether), other };
    /**
     * The sum of all parts over the CPU time of the same server in a process that is never sampled, and can't be. The
     * intervals of all targets hold together. None without such a server.
     */
    const overUnsampled = ratio(sides, 1 - ALPHA / sampled.length);
    const agreement = agreementOf(overUnsampled, equivalence);
    return [{ target, over, ...costsIn(own, base), overUnsampled, agreement }];
  });
}

/** A sum with a wider interval is not said to agree. */
const TOLERANCE = 0.2;

/** `off` if the two differ by more than their errors, and by more than what counts as the same. */
function agreementOf(times: Estimate, equivalence: number): 'agrees' | 'off' | "can't tell" {
  if (times.kind !== 'interval') return "can't tell";
  const isWithin = (share: number) => times.low >= 1 - share && times.high <= 1 + share;
  if (!isWithin(equivalence) && (times.low > 1 || times.high < 1)) return 'off';
  return isWithin(TOLERANCE) ? 'agrees' : "can't tell";
}

function partsTogether({ parts }: WhereTime): number {
  return sum([...parts.values()], ({ ns }) => ns);
}

function timesOf(record: RunRecord, cell: Cell): LaunchTime[] {
  const plain = record.plan.cells.find(({ server, load, arrangement }) => {
    return server === cell.server && load === cell.load && arrangement === 'standard';
  });
  if (plain === undefined) return [];
  return [...launchesOf(slicesOf(record, cell))].flatMap((launch) => {
    const isIn = (each: { launch: number }) => each.launch === launch;
    const sideOf = (of: Cell) => {
      const collected = record.collected.filter(isIn).find((each) => each.cell === of.id);
      return { slices: slicesOf(record, of).filter(isIn), collectedNs: collected?.ns ?? null };
    };
    const profile = record.profiles.filter(isIn).find((each) => each.cell === cell.id);
    const time = whereIn(sideOf(plain), sideOf(cell), profile);
    return time === null ? [] : [{ launch, ...time }];
  });
}

/** The costs of a target over its launches, and their differences to the base, which has none for a target without. */
function costsIn(own: readonly LaunchTime[], base: readonly LaunchTime[]) {
  const of = (value: (time: WhereTime) => number) => estimate(samplesOf(own, value));
  const more = (value: (time: WhereTime) => number) => {
    return difference({ own: samplesOf(own, value), other: samplesOf(base, value) });
  };
  const seen = new Map([...own, ...base].flatMap(({ parts }) => [...parts]));
  const costs = [...seen].map(([key, { part }]) => {
    const ns = ({ parts }: WhereTime) => parts.get(key)?.ns ?? 0;
    const functions = functionsOf(own, key);
    /** How much more they take than in the base, file by file. */
    const files = filesOf(functions, functionsOf(base, key));
    return { part, ns: of(ns), more: more(ns), functions, files };
  });
  return {
    measured: of(({ measuredNs }) => measuredNs),
    /** None for a target that is built on nothing. */
    more: more(({ measuredNs }) => measuredNs),
    /** The sum of all parts. */
    together: of(partsTogether),
    /** What sampling added; it is not part of any other value. */
    sampling: of(({ samplingNs }) => samplingNs),
    /** Most expensive first. */
    parts: costs.toSorted((a, b) => (pointOf(b.ns) ?? 0) - (pointOf(a.ns) ?? 0)),
  };
}

function samplesOf(launches: readonly LaunchTime[], value: (time: WhereTime) => number) {
  return launches.map((each) => ({ launch: each.launch, value: value(each) }));
}

/** The functions of a part, each with its mean over launches, most expensive first. */
function functionsOf(launches: readonly LaunchTime[], key: string): ProfiledFunction[] {
  const all = launches.flatMap(({ parts }) => parts.get(key)?.functions ?? []);
  return mergeFunctions(all)
    .map((each) => ({ ...each, ns: each.ns / launches.length }))
    .toSorted((a, b) => b.ns - a.ns);
}

function filesOf(own: readonly ProfiledFunction[], base: readonly ProfiledFunction[]) {
  const names = new Set(own.flatMap(({ file }) => file ?? []));
  const nsIn = (functions: readonly ProfiledFunction[], name: string) => {
    return sum(functions, ({ file, ns }) => (file === name ? ns : 0));
  };
  return [...names]
    .map((file) => ({ file, moreNs: nsIn(own, file) - nsIn(base, file) }))
    .toSorted((a, b) => b.moreNs - a.moreNs);
}
