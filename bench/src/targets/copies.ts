/** Targets that are measured several times: on several runtimes, under several limits, by their requests, or again. */
import { type Exchange, requestName } from './exchange.ts';
import { type LocalRuntime, type Runtime, runtimeName } from './runtime.ts';
import type { LocalTarget, Target } from './targets.ts';

/** The end of the name and label of a copy, which no other copy has; empty if it has none. */
interface Mark {
  name: string;
  label: string;
}

/** `express-app@bun-1.4.5`, `Express on Bun 1.4.5`. */
function runtimeMark(runtime: Runtime): Mark {
  return { name: `@${runtime.kind}-${runtime.version}`, label: ` on ${runtimeName(runtime)}` };
}

/** What all processes of a target may use together. */
type Limits = Pick<Target, 'cpuLimit' | 'memoryLimit'>;

/** `express-app@cpu-0.25`, `Express with 0.25 cores`. */
function limitMark({ cpuLimit, memoryLimit }: Limits): Mark {
  const marks: Mark[] = [];
  if (cpuLimit !== null) marks.push({ name: `@cpu-${cpuLimit}`, label: coresName(cpuLimit) });
  if (memoryLimit !== null) {
    marks.push({ name: `@memory-${memoryLimit / 1e6}`, label: memoryName(memoryLimit) });
  }
  const name = marks.map((mark) => mark.name).join('');
  const labels = marks.map(({ label }) => label).join(' and ');
  return { name, label: labels === '' ? '' : ` with ${labels}` };
}

/** The target with the name and label that it has on any runtime. */
export function withoutRuntime<T extends Mark & Pick<Target, 'runtime'>>(target: T): T {
  return target.runtime === null ? target : withoutMark(target, runtimeMark(target.runtime));
}

/** The target with the name and label that it has under any limit; its runtime may follow in them. */
export function withoutLimit<T extends Mark & Limits>(target: T): T {
  return withoutMark(target, limitMark(target));
}

function withoutMark<T extends Mark>(target: T, mark: Mark): T {
  const [name, label] = [target.name.replace(mark.name, ''), target.label.replace(mark.label, '')];
  return { ...target, name, label };
}

function withMark(target: LocalTarget, { name, label }: Mark): LocalTarget {
  return { ...target, name: target.name + name, label: target.label + label };
}

/** The name of the target that a copy on a runtime or under a limit is made of. */
export function originalOf(name: string): string {
  return name.replace(/@.*/, '');
}

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

/** The limits of these targets, of CPU time or memory, in ascending order. */
export function limitsOf(targets: readonly Partial<Limits>[], which: keyof Limits = 'cpuLimit') {
  const all = targets.flatMap((target) => target[which] ?? []);
  return [...new Set(all)].toSorted((a, b) => a - b);
}

/** A copy of a target, and what it has in common with copies of other targets; null if it goes with any of them. */
interface Copy {
  key: string | null;
  target: LocalTarget;
}

/** The copies of these targets, each related to those of the same key. Targets that are not among these keep their name. */
function copied(targets: readonly LocalTarget[], copiesOf: (target: LocalTarget) => Copy[]) {
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

/** These targets once for each combination of limits of CPU time and memory, bytes; as they are without limits. */
export function perLimit(
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
      return { key: mark.name, target: { ...withMark(target, mark), ...limits } };
    });
  });
}

/** These targets once per runtime. Those that do not start with `node` stay as they are, beside the first runtime's. */
export function perRuntime(targets: LocalTarget[], runtimes: LocalRuntime[]): LocalTarget[] {
  if (runtimes.length === 0) return targets;
  return copied(targets, (target) => {
    if (target.start[0] !== 'node' || target.external !== null) return [{ key: null, target }];
    return runtimes.map((runtime) => {
      const mark = runtimeMark(runtime);
      return { key: mark.name, target: { ...withMark(target, mark), runtime } };
    });
  });
}

/** These targets once for each of their requests: `app` with `/home` and `/new` becomes `app-home` and `app-new`. */
export function perRequest(targets: readonly LocalTarget[]): LocalTarget[] {
  return copied(targets, (target) => {
    const parts = [...Map.groupBy(target.requests, requestName)];
    const names = namesOf(parts.flatMap(([, [first]]) => first?.request ?? []));
    return parts.map(([key, requests], place) => {
      const mark = { name: `-${names[place]}`, label: ` ${requests[0]?.request.path}` };
      const own = parts.length === 1 ? target : withMark(target, mark);
      return { key, target: { ...own, requests } };
    });
  });
}

/** The shortest unique name for each of these requests: its path, with its method, or with its number too. */
function namesOf(requests: readonly Exchange['request'][]): (string | undefined)[] {
  const forms = requests.map(({ path, method }, place) => {
    const own = path.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-|-$/g, '');
    const withMethod = `${method.toLowerCase()}-${own}`;
    return [own, withMethod, `${place + 1}-${withMethod}`];
  });
  return forms.map((own) => {
    return own.find((name, form) => forms.filter((each) => each[form] === name).length === 1);
  });
}

const AGAIN = 'the same again';

/** A second copy of a target, whose differences from the first are nothing but noise. */
export function controlCopyOf(target: LocalTarget): LocalTarget {
  const copy = withMark(target, { name: '@again', label: ' again' });
  return { ...copy, variantOf: target.name, variant: AGAIN };
}

export function isControlCopy({ variant }: Pick<Target, 'variant'>): boolean {
  return variant === AGAIN;
}
