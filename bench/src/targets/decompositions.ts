import {
  changesOf,
  changesOnLine,
  holds,
  isSameChange,
  lineOf,
  type Step,
  stepsOn,
} from './lineage.ts';
import type { Target } from './targets.ts';

/** A variant with several changes, and those that take it apart. */
export interface DecompositionPlan {
  whole: Step;
  /** The change that was made last on the way to the whole comes first. */
  parts: { change: string; inOrder: Step | null; alone: Step | null }[];
  /** Whether what is changed alone is, together, all that the whole changes. */
  isAloneWhole: boolean;
}

/**
 * The decompositions that targets make: for each target that is no variant itself the variant that changes the most
 * of it, step by step or at once, with the variants that make one of these changes alone; and the
 * variants that are in none.
 */
export function findDecompositions(targets: readonly Target[]): {
  decompositions: DecompositionPlan[];
  others: Step[];
} {
  const lines = targets.map((target) => lineOf(target, targets)).filter(({ length }) => length > 1);
  const roots = targets.filter((target) => lines.some((line) => line.at(-1) === target));
  const decompositions = roots.flatMap((root) => {
    return decompositionOf(lines.filter((line) => line.at(-1) === root)) ?? [];
  });
  const used = new Set(decompositions.flatMap(namesOf));
  const others = lines.flatMap(([target, over]) => {
    return target && over && !used.has(target.name) ? [{ target, over }] : [];
  });
  return { decompositions, others };
}

/** That of the targets of these lines, which all lead to the same one; null where there is none. */
function decompositionOf(lines: readonly Target[][]): DecompositionPlan | null {
  const direct = lines.filter(({ length }) => length === 2).flatMap(stepsOn);
  const partsOf = (line: readonly Target[]) => {
    const whole = changesOnLine(line);
    return direct.filter((step) => step.target !== line[0] && holds(whole, changesOf(step)));
  };
  const [line = []] = lines
    .filter((each) => each.length > 2 || partsOf(each).length > 1)
    .toSorted((a, b) => changesOnLine(b).size - changesOnLine(a).size || b.length - a.length);
  const [target, over] = [line[0], line.at(-1)];
  if (target === undefined || over === undefined) return null;

  const steps = stepsOn(line);
  const parts =
    steps.length > 1
      ? steps.map((inOrder) => {
          const alone = direct.find((step) => isSameChange(changesOf(step), changesOf(inOrder)));
          return { change: changeName(inOrder), inOrder, alone: alone ?? null };
        })
      : partsOf(line).map((alone) => ({ change: changeName(alone), inOrder: null, alone }));
  const changed = parts.flatMap(({ alone }) => (alone ? [...changesOf(alone)] : []));
  const isAloneWhole = holds(new Map(changed), changesOnLine(line));
  return { whole: { target, over }, parts, isAloneWhole };
}

function changeName({ target: { variant, label } }: Step): string {
  return variant ?? label;
}

function namesOf({ whole, parts }: DecompositionPlan): string[] {
  const steps = [whole, ...parts.flatMap(({ inOrder, alone }) => [inOrder, alone])];
  return steps.flatMap((step) => step?.target.name ?? []);
}
