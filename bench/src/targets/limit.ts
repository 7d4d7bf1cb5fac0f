import type { Target } from './targets.ts';

/** What a limit is called: `0.25 cores`. */
export function limitName(cores: number): string {
  return `${cores} ${cores === 1 ? 'core' : 'cores'}`;
}

/** A target's name under a limit, which no other target has: `express-app@cpu-0.25`. */
export function nameWithin(name: string, cores: number): string {
  return name + nameSuffix(cores);
}

/** A target's label under a limit: `Express with 0.25 cores`. */
export function labelWithin(label: string, cores: number): string {
  return label + labelSuffix(cores);
}

/** What a target is called whatever its limit; its runtime may come after that. */
export function unlimitedName({ name, cpuLimit }: Pick<Target, 'name' | 'cpuLimit'>): string {
  return cpuLimit === null ? name : name.replace(nameSuffix(cpuLimit), '');
}

/** What a target is labelled whatever its limit; its runtime may come after that. */
export function unlimitedLabel({ label, cpuLimit }: Pick<Target, 'label' | 'cpuLimit'>): string {
  return cpuLimit === null ? label : label.replace(labelSuffix(cpuLimit), '');
}

/** The limits of these targets, from the lowest on; none where nothing limits them. */
export function limitsOf(targets: readonly Pick<Target, 'cpuLimit'>[]): number[] {
  const all = targets.flatMap(({ cpuLimit }) => cpuLimit ?? []);
  return [...new Set(all)].toSorted((a, b) => a - b);
}

function nameSuffix(cores: number): string {
  return `@cpu-${cores}`;
}

function labelSuffix(cores: number): string {
  return ` with ${limitName(cores)}`;
}
