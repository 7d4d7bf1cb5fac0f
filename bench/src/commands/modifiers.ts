import { cacheFolder } from '../base/places.ts';
import type { Backend } from '../run/backend.ts';
import { type AskedChange, resolveChanges } from '../targets/changes.ts';
import { onLimits } from '../targets/on-limits.ts';
import { onRuntimes } from '../targets/on-runtimes.ts';
import type { AskedRuntime } from '../targets/runtime.ts';
import type { LocalTarget } from '../targets/targets.ts';

/** What is asked for beside the targets themselves. */
export interface TargetModifiers {
  runtimes: AskedRuntime[];
  changes: AskedChange[];
  /** Cores' worth of CPU time for each. */
  limits: number[];
}

/**
 * These targets, each followed by those with another version of a dependency, and all of them under every
 * CPU limit and on every runtime; null where that was ended while something was fetched.
 * @throws UserError as `resolveChanges`, `provideVariant` and `provideRuntimes`.
 */
export async function applyModifiers(
  targets: LocalTarget[],
  { runtimes, changes, limits }: TargetModifiers,
  signal: AbortSignal,
  say: (text: string) => void,
  { provideRuntimes, provideVariant }: Pick<Backend, 'provideRuntimes' | 'provideVariant'>,
): Promise<LocalTarget[] | null> {
  const fetching = { cache: cacheFolder(), signal, say };
  try {
    const variants: LocalTarget[] = [];
    for (const change of resolveChanges(targets, changes)) {
      variants.push(await provideVariant(change, fetching));
    }
    const all = targets.flatMap((target) => {
      const own = variants.filter(({ variantOf }) => variantOf === target.name);
      return [target, ...new Map(own.map((each) => [each.name, each])).values()];
    });
    return onRuntimes(onLimits(all, limits), await provideRuntimes(runtimes, fetching));
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}
