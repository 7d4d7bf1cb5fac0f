import { changesOf, changesOnLine, holds, isSameChange, lineOf } from './lineage.ts';
import type { Target } from './targets.ts';

/** A variant, and the target that it is held against. */
export interface Step {
  target: Target;
  over: Target;
}

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
  const direct = lines.flatMap(([target, over, ...more]) => {
    return target && over && more.length === 0
      ? [{ target, over, changes: changesOf(target, over) }]
      : [];
  });
  const partsOf = (line: readonly Target[]) => {
    const whole = changesOnLine(line);
    return direct.filter(({ target, changes }) => target !== line[0] && holds(whole, changes));
  };
  const [line] = lines
    .filter((each) => each.length > 2 || partsOf(each).length > 1)
    .toSorted((a, b) => changesOnLine(b).size - changesOnLine(a).size || b.length - a.length);
  const [target, over] = [line?.[0], line?.at(-1)];
  if (line === undefined || target === undefined || over === undefined) return null;

  const steps = line
    .slice(0, -1)
    .map((each, place) => ({ target: each, over: line[place + 1] ?? over }));
  const parts =
    steps.length > 1
      ? steps.map((inOrder) => {
          const changes = changesOf(inOrder.target, inOrder.over);
          const alone = direct.find((each) => isSameChange(each.changes, changes)) ?? null;
          return { change: wordsOf(inOrder.target), inOrder, alone: alone && stepOf(alone) };
        })
      : partsOf(line).map((alone) => {
          return { change: wordsOf(alone.target), inOrder: null, alone: stepOf(alone) };
        });
  const changed = parts.flatMap(({ alone }) => (alone ? [...changesOf(alone.target, over)] : []));
  const isAloneWhole = holds(new Map(changed), changesOnLine(line));
  return { whole: { target, over }, parts, isAloneWhole };
}

function wordsOf({ variant, label }: Target): string {
  return variant ?? label;
}

function stepOf({ target, over }: Step): Step {
  return { target, over };
}

function namesOf({ whole, parts }: DecompositionPlan): string[] {
  const steps = [whole, ...parts.flatMap(({ inOrder, alone }) => [inOrder, alone])];
  return steps.flatMap((step) => step?.target.name ?? []);
}
