import { labelWithin, nameWithin } from './limit.ts';
import type { LocalTarget } from './targets.ts';

/**
 * These targets under these CPU limits: each once for every limit, over what it is built on under the same
 * one. Without limits all stay as they are.
 */
export function onLimits(targets: LocalTarget[], limits: readonly number[]): LocalTarget[] {
  if (limits.length === 0) return targets;
  const own = new Set(targets.map(({ name }) => name));
  return targets.flatMap((target) => {
    return limits.map((cpuLimit) => {
      // What is not of this run stays what it is.
      const within = (name: string | null) => {
        return name !== null && own.has(name) ? nameWithin(name, cpuLimit) : name;
      };
      return {
        ...target,
        name: nameWithin(target.name, cpuLimit),
        label: labelWithin(target.label, cpuLimit),
        over: within(target.over),
        variantOf: within(target.variantOf),
        cpuLimit,
      };
    });
  });
}
