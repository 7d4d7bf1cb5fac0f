import type { Target } from './targets.ts';

/**
 * What is changed, by what it is called: variables of the environment with their values, or, where no
 * variable differs, the variant's own words.
 */
export type Changes = ReadonlyMap<string, string | null>;

/** A variant, and the target that it is held against. */
export interface Step {
  target: Target;
  over: Target;
}

/** What a variant changes of what it is held against. */
export function changesOf({ target: { variant, env }, over }: Step): Changes {
  const names = new Set([...Object.keys(over.env), ...Object.keys(env)]);
  const changed = [...names].filter((name) => env[name] !== over.env[name]);
  if (changed.length === 0) return new Map([[variant ?? '', null]]);
  return new Map(changed.map((name) => [name, env[name] ?? null]));
}

/** A variant, what it is a variant of, and so on, to what is none; itself first. */
export function lineOf<T extends Target>(target: T, all: readonly T[]): T[] {
  const line = [target];
  for (let at: T | undefined = target; at !== undefined; ) {
    const next: T | undefined = all.find(({ name }) => name === at?.variantOf);
    // What was left out of a run may be in between.
    if (next === undefined || line.includes(next)) break;
    line.push(next);
    at = next;
  }
  return line;
}

/** Each of a line over the next. */
export function stepsOn(line: readonly Target[]): Step[] {
  return line.slice(1).flatMap((over, place) => {
    const target = line[place];
    return target === undefined ? [] : [{ target, over }];
  });
}

/** All that the first of a line changes of its last one. */
export function changesOnLine(line: readonly Target[]): Changes {
  return new Map(
    stepsOn(line)
      .toReversed()
      .flatMap((step) => [...changesOf(step)]),
  );
}

/** Whether one has all that the other has, with the same values. */
export function holds(whole: Changes, part: Changes): boolean {
  return [...part].every(([name, value]) => whole.has(name) && whole.get(name) === value);
}

/** Whether two change the same, to the same. */
export function isSameChange(a: Changes, b: Changes): boolean {
  return a.size === b.size && holds(a, b);
}
