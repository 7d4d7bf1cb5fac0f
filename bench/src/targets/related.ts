import { join } from 'node:path';
import { UserError } from '../base/errors.ts';

/** A target as it is declared, as far as it says something about others. */
interface Declared {
  name: string;
  directory: string;
  /** A variant may leave it to what it is a variant of. */
  label: string | null;
  over: string | null;
  variantOf: string | null;
  variant: string | null;
}

/**
 * Targets with what follows from the others: a variant has its label from the target that it is a
 * variant of, and stands over it unless it says otherwise.
 * @throws UserError for an `over` or a `variantOf` that is no other target, or leads back.
 */
export function related<T extends Declared>(targets: readonly T[]): (T & { label: string })[] {
  check(targets, 'variantOf', 'a variant of');
  const byName = new Map(targets.map((target) => [target.name, target]));
  // What is changed on the way from a target that has a label of its own.
  const changesOf = ({ name, label, variantOf, variant }: Declared): [string, string[]] => {
    const other = byName.get(variantOf ?? '');
    if (label !== null || other === undefined) return [label ?? name, []];
    const [base, changes] = changesOf(other);
    return [base, [...changes, variant ?? name]];
  };
  const labelOf = (target: Declared): string => {
    const [base, changes] = changesOf(target);
    return changes.length === 0 ? base : `${base} (${changes.join(', ')})`;
  };
  const standing = targets.map((target) => ({
    ...target,
    label: labelOf(target),
    over: target.over ?? target.variantOf,
  }));
  check(standing, 'over', 'built on');
  return standing;
}

function check(targets: readonly Declared[], key: 'over' | 'variantOf', words: string): void {
  const byName = new Map(targets.map((target) => [target.name, target]));
  for (const { name, [key]: other, directory } of targets) {
    const problem = (text: string) => {
      const others = [...byName.keys()].filter((each) => each !== name);
      return new UserError(
        `${join(directory, 'package.json')}: bench.${key}: ${text}`,
        `Use one of: ${others.join(', ')}.`,
      );
    };
    if (other !== null && !byName.has(other)) throw problem(`"${other}" is not another target`);
    const below = new Set([name]);
    for (let base = other; base !== null; base = byName.get(base)?.[key] ?? null) {
      if (below.has(base)) throw problem(`"${other}" is ${words} ${name} itself`);
      below.add(base);
    }
  }
}
