import { join } from 'node:path';
import { UserError } from '../base/errors.ts';

/** What a target declares about itself and others. */
interface Declared {
  name: string;
  directory: string;
  /** Null for a variant that is named after what it is a variant of. */
  label: string | null;
  over: string | null;
  variantOf: string | null;
  variant: string | null;
}

/**
 * Targets with what follows from others: unless it says otherwise, a variant has its label from the target that it is a
 * variant of, and is built on that target.
 * @throws UserError for an `over` or a `variantOf` that is not another target, or leads back to this one.
 */
export function resolveRelations<T extends Declared>(
  targets: readonly T[],
): (T & { label: string })[] {
  requireRelations(targets, 'variantOf', 'a variant of');
  const byName = new Map(targets.map((target) => [target.name, target]));
  const labelOf = ({ name, label, variantOf, variant }: Declared, changes: string[]): string => {
    const base = byName.get(variantOf ?? '');
    if (label === null && base !== undefined) return labelOf(base, [variant ?? name, ...changes]);
    const own = label ?? name;
    return changes.length === 0 ? own : `${own} (${changes.join(', ')})`;
  };
  const resolved = targets.map((target) => ({
    ...target,
    label: labelOf(target, []),
    over: target.over ?? target.variantOf,
  }));
  requireRelations(resolved, 'over', 'built on');
  return resolved;
}

function requireRelations(all: readonly Declared[], key: 'over' | 'variantOf', words: string) {
  const byName = new Map(all.map((target) => [target.name, target]));
  for (const { name, [key]: other, directory } of all) {
    const below = new Set([name]);
    let base = other;
    while (base !== null && !below.has(base)) {
      below.add(base);
      base = byName.get(base)?.[key] ?? null;
    }
    const isKnown = other === null || byName.has(other);
    if (isKnown && base === null) continue;
    const problem = isKnown ? `is ${words} ${name} itself` : 'is not another target';
    const others = [...byName.keys()].filter((each) => each !== name);
    throw new UserError(
      `${join(directory, 'package.json')}: bench.${key}: "${other}" ${problem}`,
      `Use one of: ${others.join(', ')}.`,
    );
  }
}
