import { lineOf } from './lineage.ts';
import type { Target } from './targets.ts';

/** A framework that climbs the ladder: the same application, with one thing more at each rung. */
export interface Climb {
  /** Its lowest rung first. */
  rungs: [Target, ...Target[]];
  /** Beside the ladder: a variant of one of its rungs, with something else in place of the next one. */
  branches: Target[];
  /** Its highest rung with the floor's validator in place of its own; null where it has none of its own. */
  swapped: Target | null;
}

/** The variables by which the servers of the ladder are told what they serve, and who validates. */
const RUNG = 'RUNG';
const VALIDATOR = 'VALIDATOR';

/** What a target serves: it names the same rung in every framework. */
export function rungOf({ env }: Pick<Target, 'env'>): string {
  return env[RUNG] ?? '';
}

function isSwapped({ env }: Pick<Target, 'env'>): boolean {
  return VALIDATOR in env;
}

/** How each framework among targets climbs, in their order: by which of them is a variant of which. */
export function findClimbs(targets: readonly Target[]): Climb[] {
  const lines = targets.map((target) => lineOf(target, targets).toReversed());
  const byRoot = Map.groupBy(lines, ([root]) => root?.name);
  return [...byRoot.values()].flatMap((own): Climb[] => {
    const plain = own.filter((line) => !line.some(isSwapped));
    const [longest] = plain.toSorted((a, b) => b.length - a.length);
    const [root, ...rungs] = longest ?? [];
    if (root === undefined) return [];
    const tops = plain.flatMap((line) => line.at(-1) ?? []);
    const last = rungs.at(-1) ?? root;
    return [
      {
        rungs: [root, ...rungs],
        branches: tops.filter((target) => target !== root && !rungs.includes(target)),
        swapped: targets.find((each) => isSwapped(each) && each.variantOf === last.name) ?? null,
      },
    ];
  });
}

/** What a climb stands on, and that in turn, as far as it is here; itself first. */
export function baseLine(climb: Climb, climbs: readonly Climb[]): Climb[] {
  const others = climbs.filter((each) => each !== climb);
  const base = others.find(({ rungs: [root] }) => root.name === climb.rungs[0].over);
  return base === undefined ? [climb] : [climb, ...baseLine(base, others)];
}

/** The floor that a climb is held against: what it stands on in the end; null where that is not here. */
export function floorOf(climb: Climb, climbs: readonly Climb[]): Climb | null {
  const last = baseLine(climb, climbs).at(-1);
  return last?.rungs[0].over === null ? last : null;
}

/**
 * These targets, each a variant of the nearest that is among them where what it is a variant of is not,
 * with all that lies between as its change; the lowest rungs first, so that those of one height are
 * together where not all can be alive at once.
 */
export function bridged<T extends Target>(targets: readonly T[], all: readonly T[]): T[] {
  const height = ({ name }: T) => {
    const whole = all.find((each) => each.name === name);
    return whole === undefined ? 0 : lineOf(whole, all).length;
  };
  const isHere = (name: string | null) => targets.some((target) => target.name === name);
  const standsOn = (name: string | null): string | null => {
    if (name === null || isHere(name)) return name;
    return standsOn(all.find((each) => each.name === name)?.over ?? null);
  };
  return targets
    .map((target): T => {
      const [, direct, ...further] = lineOf(target, all);
      if (direct === undefined) return { ...target, over: standsOn(target.over) };
      if (isHere(direct.name)) return target;
      const base = further.find(({ name }) => isHere(name));
      if (base === undefined) return { ...target, over: null, variantOf: null, variant: null };
      const variant = `all up to ${target.variant}`;
      return { ...target, over: base.name, variantOf: base.name, variant };
    })
    .toSorted((a, b) => height(a) - height(b));
}
