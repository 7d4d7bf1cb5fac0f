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

/** Each target of a line over the next one. */
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

/** All changes from the last target of a line to its first. */
function changesOnLine(line: readonly Target[]): Changes {
  const steps = stepsOn(line).toReversed();
  return new Map(steps.flatMap((step) => [...changesOf(step)]));
}

/** Whether these changes include all of the others, with the same values. */
function includes(whole: Changes, part: Changes): boolean {
  return [...part].every(([name, value]) => whole.has(name) && whole.get(name) === value);
}

/** A variant with several changes, and the variants that make one of them each. */
export interface DecompositionPlan {
  whole: VariantStep;
  /** The last change on the way to the whole comes first. */
  parts: { change: string; inOrder: VariantStep | null; alone: VariantStep | null }[];
  /** Whether the changes that were also made alone are all that the whole consists of. */
  isAloneWhole: boolean;
}

/**
 * For each target that is no variant, the variant with the most changes, made one by one or at once, and those that
 * make one of them; and the variants that are in no such decomposition.
 */
export function findDecompositions(targets: readonly Target[]): {
  decompositions: DecompositionPlan[];
  others: VariantStep[];
} {
  const lines = targets.map((target) => variantLine(target, targets));
  const decompositions = targets.flatMap((root) => {
    return decompositionOf(lines.filter((line) => line.length > 1 && line.at(-1) === root)) ?? [];
  });
  const steps = decompositions.flatMap(({ whole, parts }) => {
    return [whole, ...parts.flatMap(({ inOrder, alone }) => [inOrder, alone])];
  });
  const used = new Set(steps.map((step) => step?.target));
  const others = lines.flatMap((line) => stepsOn(line).slice(0, 1));
  return { decompositions, others: others.filter(({ target }) => !used.has(target)) };
}

/** The decomposition that the lines of one root make; null if there is none. */
function decompositionOf(lines: readonly Target[][]): DecompositionPlan | null {
  const direct = lines.filter(({ length }) => length === 2).flatMap(stepsOn);
  const partsOf = (line: readonly Target[]) => {
    const whole = changesOnLine(line);
    return direct.filter((step) => step.target !== line[0] && includes(whole, changesOf(step)));
  };
  const [line = []] = lines
    .filter((each) => each.length > 2 || partsOf(each).length > 1)
    .toSorted((a, b) => changesOnLine(b).size - changesOnLine(a).size || b.length - a.length);
  const [target, over] = [line[0], line.at(-1)];
  if (target === undefined || over === undefined) return null;

  const nameOf = ({ target: { variant, label } }: VariantStep) => variant ?? label;
  const isSame = (a: Changes, b: Changes) => a.size === b.size && includes(a, b);
  const steps = stepsOn(line);
  const parts =
    steps.length > 1
      ? steps.map((inOrder) => {
          const alone = direct.find((step) => isSame(changesOf(step), changesOf(inOrder)));
          return { change: nameOf(inOrder), inOrder, alone: alone ?? null };
        })
      : partsOf(line).map((alone) => ({ change: nameOf(alone), inOrder: null, alone }));
  const changed = parts.flatMap(({ alone }) => (alone ? [...changesOf(alone)] : []));
  const isAloneWhole = includes(new Map(changed), changesOnLine(line));
  return { whole: { target, over }, parts, isAloneWhole };
}
