/** Targets that are measured several times: on several runtimes, under several limits, by their requests. */
import { type Exchange, requestName } from './exchange.ts';
import { type LocalRuntime, type Runtime, runtimeName } from './runtime.ts';
import type { LocalTarget, Target } from './targets.ts';

/** What ends the name and the label of a copy, which no other has. */
interface Mark {
  name: string;
  label: string;
}

/** `express-app@bun-1.4.5`, `Express on Bun 1.4.5`. */
const runtimeMark = (runtime: Runtime): Mark => ({
  name: `@${runtime.kind}-${runtime.version}`,
  label: ` on ${runtimeName(runtime)}`,
});

/** What all processes of a target may use together. */
type Limits = Pick<Target, 'cpuLimit' | 'memoryLimit'>;

/** `express-app@cpu-0.25`, `Express with 0.25 cores`; null without a limit. */
function limitMark({ cpuLimit, memoryLimit }: Limits): Mark | null {
  const marks: Mark[] = [
    ...(cpuLimit === null ? [] : [{ name: `@cpu-${cpuLimit}`, label: coresName(cpuLimit) }]),
    ...(memoryLimit === null
      ? []
      : [{ name: `@memory-${memoryLimit / 1e6}`, label: memoryName(memoryLimit) }]),
  ];
  if (marks.length === 0) return null;
  const label = ` with ${marks.map((mark) => mark.label).join(' and ')}`;
  return { name: marks.map((mark) => mark.name).join(''), label };
}

/** What a target is called and labelled whatever it runs on. */
export function withoutRuntime<T extends Mark & Pick<Target, 'runtime'>>(target: T): T {
  return unmarked(target, target.runtime && runtimeMark(target.runtime));
}

/** What a target is called and labelled whatever its limits; its runtime may come after that. */
export function withoutLimit<T extends Mark & Limits>(target: T): T {
  return unmarked(target, limitMark(target));
}

/** The name of what a copy on a runtime or under a limit is a copy of. */
export function originalOf(name: string): string {
  return name.replace(/@.*/, '');
}

function unmarked<T extends Mark>(target: T, mark: Mark | null): T {
  if (mark === null) return target;
  const { name, label } = target;
  return { ...target, name: name.replace(mark.name, ''), label: label.replace(mark.label, '') };
}

/** Whether anything limits what its processes use. */
export function isLimited({ cpuLimit, memoryLimit }: Limits): boolean {
  return cpuLimit !== null || memoryLimit !== null;
}

/** `0.25 cores`. */
export function coresName(cores: number): string {
  return `${cores} ${cores === 1 ? 'core' : 'cores'}`;
}

/** `256 MB`. */
export function memoryName(bytes: number): string {
  return `${bytes / 1e6} MB`;
}

/** The limits of these targets, of CPU time or memory, from the lowest on; none where nothing limits them. */
export function limitsOf(
  targets: readonly Partial<Limits>[],
  which: keyof Limits = 'cpuLimit',
): number[] {
  const all = targets.flatMap((target) => target[which] ?? []);
  return [...new Set(all)].toSorted((a, b) => a - b);
}

/** One of a target's copies, and what tells it from the others; null where it is like any of another target's. */
interface Copy {
  key: string | null;
  target: LocalTarget;
}

/** The copies of these targets, each over and a variant of those of the same key. Who is not here keeps its name. */
function copied(
  targets: readonly LocalTarget[],
  copiesOf: (target: LocalTarget) => Copy[],
): LocalTarget[] {
  const all = new Map(targets.map((target) => [target.name, copiesOf(target)]));
  return [...all.values()].flat().map(({ key, target }) => {
    const same = (other: string | null) => {
      const copies = all.get(other ?? '');
      if (copies === undefined) return other;
      const found = copies.find((each) => key === null || each.key === null || each.key === key);
      return found?.target.name ?? null;
    };
    return { ...target, over: same(target.over), variantOf: same(target.variantOf) };
  });
}

function marked(target: LocalTarget, { name, label }: Mark): LocalTarget {
  return { ...target, name: target.name + name, label: target.label + label };
}

/**
 * These targets once for each of these limits of CPU time and of memory, bytes, each of one with each of the other.
 * Without limits all stay as they are.
 */
export function onLimits(
  targets: LocalTarget[],
  cpuLimits: readonly number[],
  memoryLimits: readonly number[] = [],
): LocalTarget[] {
  const orNone = (limits: readonly number[]) => (limits.length === 0 ? [null] : limits);
  const all = orNone(cpuLimits).flatMap((cpuLimit): Limits[] => {
    return orNone(memoryLimits).map((memoryLimit) => ({ cpuLimit, memoryLimit }));
  });
  return copied(targets, (target) => {
    return all.map((limits) => {
      const mark = limitMark(limits);
      return mark === null
        ? { key: null, target }
        : { key: mark.name, target: { ...marked(target, mark), ...limits } };
    });
  });
}

/**
 * These targets once for each of these runtimes, where they start with `node`. A target with a command of its own
 * stays as it is, beside the others on the first runtime. Without runtimes all stay as they are.
 */
export function onRuntimes(targets: LocalTarget[], runtimes: LocalRuntime[]): LocalTarget[] {
  if (runtimes.length === 0) return targets;
  return copied(targets, (target) => {
    if (target.start[0] !== 'node' || target.external !== null) return [{ key: null, target }];
    return runtimes.map((runtime) => {
      const mark = runtimeMark(runtime);
      return { key: mark.name, target: { ...marked(target, mark), runtime } };
    });
  });
}

/**
 * These targets, one for each of their requests: `app` with `GET /home` and `GET /latest` becomes
 * `app-home` and `app-latest`, each a server of its own. A target with a single request, or with several of
 * one path and method, is as it was.
 */
export function byRequest(targets: readonly LocalTarget[]): LocalTarget[] {
  return copied(targets, (target) => {
    const parts = [...Map.groupBy(target.requests, requestName)];
    const names = namesOf(parts.flatMap(([, [first]]) => first ?? []));
    return parts.map(([key, requests], place) => {
      const mark = { name: `-${names[place]}`, label: ` ${requests[0]?.request.path}` };
      const own = parts.length === 1 ? target : marked(target, mark);
      return { key, target: { ...own, requests } };
    });
  });
}

/** A name for each of these requests, as short as one that no other has can be. */
function namesOf(exchanges: readonly Exchange[]): string[] {
  const slugs = exchanges.map(({ request: { path } }) => {
    return path.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-|-$/g, '');
  });
  const longer = exchanges.map(({ request }, place) => {
    return `${request.method.toLowerCase()}-${slugs[place]}`;
  });
  return slugs.map((slug, place) => {
    const names = [slugs, longer].map((all) => ({ all, name: all[place] ?? slug }));
    const unique = names.find(({ all, name }) => all.indexOf(name) === all.lastIndexOf(name));
    return unique?.name ?? `${place + 1}-${longer[place]}`;
  });
}
