/** Variants: targets that differ from another target in one change, and what such changes add up to. */
import type { Target } from './targets.ts';

/** Changed environment variables with their values, or else the word of the variant for its change. */
type Changes = ReadonlyMap<string, string | null>;

/** A variant, and the target that it is compared with. */
export interface VariantStep {
  target: Target;
  over: Target;
}

/** A target, the target that it is a variant of, and so on, as far as they are in the run. */
export function variantLine<T extends Target>(target: T, all: readonly T[]): T[] {
  const others = all.filter((each) => each !== target);
  const base = others.find(({ name }) => name === target.variantOf);
  return base === undefined ? [target] : [target, ...variantLine(base, others)];
}

/** Each target of a variant line over the next one. */
function stepsOn(line: readonly Target[]): VariantStep[] {
  return line.slice(1).flatMap((over, place) => {
    const target = line[place];
    return target === undefined ? [] : [{ target, over }];
  });
}

function changesOf({ target: { variant, env }, over }: VariantStep): Changes {
  const names = new Set([...Object.keys(over.env), ...Object.keys(env)]);
  const changed = [...names].filter((name) => env[name] !== over.env[name]);
  if (changed.length === 0) return new Map([[variant ?? '', null]]);
  return new Map(changed.map((name) => [name, env[name] ?? null]));
}

/** All changes of these steps, which lead from the last one to the first. */
function changesInAll(steps: readonly VariantStep[]): Changes {
  return new Map(steps.toReversed().flatMap((step) => [...changesOf(step)]));
}

/** Whether these changes include all of the others, with the same values. */
function includes(whole: Changes, part: Changes): boolean {
  return [...part].every(([name, value]) => whole.has(name) && whole.get(name) === value);
}

/** The decomposition of each target that is no variant, the variants in none of them, and the steps of all these. */
export function findDecompositions(targets: readonly Target[]) {
  const ways = targets.map((target) => stepsOn(variantLine(target, targets)));
  const decompositions = targets.flatMap((root) => {
    return decompositionOf(ways.filter((way) => way.at(-1)?.over === root)) ?? [];
  });
  const used = decompositions.flatMap(({ whole, parts }) => {
    return [whole, ...parts.flatMap(({ inOrder, alone }) => [inOrder, alone])];
  });
  const inUse = new Set(used.map((step) => step?.target));
  const others = ways.flatMap((way) => way.slice(0, 1)).filter(({ target }) => !inUse.has(target));
  return { decompositions, others, steps: [...used, ...others] };
}

/** The variant of one root with the most changes, and those that make one of them each. Null if there is none. */
function decompositionOf(ways: readonly VariantStep[][]) {
  const direct = ways.filter(({ length }) => length === 1).flat();
  const partsOf = (way: readonly VariantStep[]) => {
    const whole = changesInAll(way);
    return direct.filter((step) => step !== way[0] && includes(whole, changesOf(step)));
  };
  const [way = []] = ways
    .filter((each) => each.length > 1 || partsOf(each).length > 1)
    .toSorted((a, b) => changesInAll(b).size - changesInAll(a).size || b.length - a.length);
  const [last, first] = [way[0], way.at(-1)];
  if (last === undefined || first === undefined) return null;

  const nameOf = ({ target: { variant, label } }: VariantStep) => variant ?? label;
  const isSame = (a: Changes, b: Changes) => a.size === b.size && includes(a, b);
  /** The last change on the way to the whole comes first. */
  const parts =
    way.length > 1
      ? way.map((inOrder) => {
          const alone = direct.find((step) => isSame(changesOf(step), changesOf(inOrder)));
          return { change: nameOf(inOrder), inOrder, alone: alone ?? null };
        })
      : partsOf(way).map((alone) => ({ change: nameOf(alone), inOrder: null, alone }));
  const changed = parts.flatMap(({ alone }) => (alone ? [...changesOf(alone)] : []));
  /** Whether the changes that were also made alone are all that the whole consists of. */
  const isAloneWhole = includes(new Map(changed), changesInAll(way));
  return { whole: { target: last.target, over: first.over }, parts, isAloneWhole };
}
