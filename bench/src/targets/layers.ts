import type { Target } from './targets.ts';
import { variantLine } from './variants.ts';

/** A framework with the same application at several layers, each with one thing more than the one below it. */
export interface LayerStack {
  /** The lowest layer first. */
  layers: [Target, ...Target[]];
  /** Variants of one of its layers that are not the next layer. */
  branches: Target[];
  /** Its highest layer with a part of the floor in place of its own; null if there is no such target. */
  swapped: Target | null;
}

/** The stack of each framework, whose layers are variants of each other. The variant `swap` has a part of the floor. */
export function findLayerStacks(targets: readonly Target[], swap: string | null): LayerStack[] {
  const isSwapped = ({ variant }: Target) => swap !== null && variant === swap;
  const lines = targets.map((target) => variantLine(target, targets).toReversed());
  const byRoot = Map.groupBy(lines, ([root]) => root?.name);
  return [...byRoot.values()].flatMap((own): LayerStack[] => {
    const plain = own.filter((line) => !line.some(isSwapped));
    const [longest = []] = plain.toSorted((a, b) => b.length - a.length);
    const [root, ...others] = longest;
    if (root === undefined) return [];
    const tops = plain.flatMap((line) => line.at(-1) ?? []);
    const top = longest.at(-1)?.name;
    const branches = tops.filter((target) => !longest.includes(target));
    const swapped = targets.find((each) => isSwapped(each) && each.variantOf === top) ?? null;
    return [{ layers: [root, ...others], branches, swapped }];
  });
}

/** A stack, the stack that it is built on, and so on, as far as they are in the run. */
export function stackLine(stack: LayerStack, stacks: readonly LayerStack[]): LayerStack[] {
  const others = stacks.filter((each) => each !== stack);
  const base = others.find(({ layers: [root] }) => root.name === stack.layers[0].over);
  return base === undefined ? [stack] : [stack, ...stackLine(base, others)];
}

/** The floor that a stack is compared with: the last stack that it is built on; null if that is not in the run. */
export function floorOf(stack: LayerStack, stacks: readonly LayerStack[]): LayerStack | null {
  const last = stackLine(stack, stacks).at(-1);
  return last?.layers[0].over === null ? last : null;
}

/** Relates each of these targets, some of `all`, to the nearest below it. Its change includes layers missing between. */
export function bridgeGaps<T extends Target>(targets: readonly T[], all: readonly T[]): T[] {
  const height = ({ name }: T) => {
    const whole = all.find((each) => each.name === name);
    return whole === undefined ? 0 : variantLine(whole, all).length;
  };
  const isHere = (name: string | null) => targets.some((target) => target.name === name);
  const nearestBase = (name: string | null): string | null => {
    if (name === null || isHere(name)) return name;
    return nearestBase(all.find((each) => each.name === name)?.over ?? null);
  };
  const bridged = targets.map((target): T => {
    const [, direct, ...further] = variantLine(target, all);
    if (direct === undefined) return { ...target, over: nearestBase(target.over) };
    if (isHere(direct.name)) return target;
    const base = further.find(({ name }) => isHere(name));
    if (base === undefined) return { ...target, over: null, variantOf: null, variant: null };
    const variant = `all up to ${target.variant}`;
    return { ...target, over: base.name, variantOf: base.name, variant };
  });
  // Layers of the same height are alive together if not all can be.
  return bridged.toSorted((a, b) => height(a) - height(b));
}
