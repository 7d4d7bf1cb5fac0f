import type { Target } from './targets.ts';

/** What a variant says of itself. */
type Related = Pick<Target, 'name' | 'variantOf' | 'variant' | 'env'>;

/**
 * What is changed, by what it is called: variables of the environment with their values, or, where no
 * variable differs, the variant's own words.
 */
export type Changes = ReadonlyMap<string, string | null>;

/** What a variant changes of what it is a variant of. */
export function changesOf({ variant, env }: Related, base: Related): Changes {
  const names = new Set([...Object.keys(base.env), ...Object.keys(env)]);
  const changed = [...names].filter((name) => env[name] !== base.env[name]);
  if (changed.length === 0) return new Map([[variant ?? '', null]]);
  return new Map(changed.map((name) => [name, env[name] ?? null]));
}

/** A variant, what it is a variant of, and so on, to what is none; itself first. */
export function lineOf<T extends Related>(target: T, all: readonly T[]): T[] {
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

/** All that the first of a line changes of its last one. */
export function changesOnLine(line: readonly Related[]): Changes {
  const steps = line
    .slice(0, -1)
    .map((target, place) => changesOf(target, line[place + 1] ?? target));
  return new Map(steps.toReversed().flatMap((changes) => [...changes]));
}

/** Whether one has all that the other has, with the same values. */
export function holds(whole: Changes, part: Changes): boolean {
  return [...part].every(([name, value]) => whole.has(name) && whole.get(name) === value);
}

/** Whether two change the same, to the same. */
export function isSameChange(a: Changes, b: Changes): boolean {
  return a.size === b.size && holds(a, b);
}
