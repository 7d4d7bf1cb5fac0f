import { lineOf } from './lineage.ts';
import type { Target } from './targets.ts';

/** A framework with the same application again and again, with one thing more at each layer. */
export interface LayerStack {
  /** Its lowest layer first. */
  layers: [Target, ...Target[]];
  /** Variants of one of its layers, with something else in place of the next one. */
  branches: Target[];
  /** Its highest layer with something of the floor's in place of its own; null where there is no such target. */
  swapped: Target | null;
}

/** What a target adds to the one below it, in a word: it names the same layer in every framework. */
export function layerOf({ variant }: Pick<Target, 'variant'>): string {
  return variant ?? '';
}

/**
 * How each framework among targets stacks, in their order: by which of them is a variant of which. `swap` is the
 * variant in which something of the floor's is in place of the framework's own.
 */
export function findLayerStacks(targets: readonly Target[], swap: string | null): LayerStack[] {
  const isSwapped = ({ variant }: Target) => swap !== null && variant === swap;
  const lines = targets.map((target) => lineOf(target, targets).toReversed());
  const byRoot = Map.groupBy(lines, ([root]) => root?.name);
  return [...byRoot.values()].flatMap((own): LayerStack[] => {
    const plain = own.filter((line) => !line.some(isSwapped));
    const [longest] = plain.toSorted((a, b) => b.length - a.length);
    const [root, ...layers] = longest ?? [];
    if (root === undefined) return [];
    const tops = plain.flatMap((line) => line.at(-1) ?? []);
    const last = layers.at(-1) ?? root;
    return [
      {
        layers: [root, ...layers],
        branches: tops.filter((target) => target !== root && !layers.includes(target)),
        swapped: targets.find((each) => isSwapped(each) && each.variantOf === last.name) ?? null,
      },
    ];
  });
}

/** What a stack stands on, and that in turn, as far as it is here; itself first. */
export function baseLine(stack: LayerStack, stacks: readonly LayerStack[]): LayerStack[] {
  const others = stacks.filter((each) => each !== stack);
  const base = others.find(({ layers: [root] }) => root.name === stack.layers[0].over);
  return base === undefined ? [stack] : [stack, ...baseLine(base, others)];
}

/** The floor that a stack is held against: what it stands on in the end; null where that is not here. */
export function floorOf(stack: LayerStack, stacks: readonly LayerStack[]): LayerStack | null {
  const last = baseLine(stack, stacks).at(-1);
  return last?.layers[0].over === null ? last : null;
}

/**
 * These targets, each a variant of the nearest that is among them where what it is a variant of is not,
 * with all that lies between as its change; the lowest layers first, so that those of one height are
 * together where not all can be alive at once.
 */
export function bridgeGaps<T extends Target>(targets: readonly T[], all: readonly T[]): T[] {
  const height = ({ name }: T) => {
    const whole = all.find((each) => each.name === name);
    return whole === undefined ? 0 : lineOf(whole, all).length;
  };
  const isHere = (name: string | null) => targets.some((target) => target.name === name);
  const standsOn = (name: string | null): string | null => {
    if (name === null || isHere(name)) return name;
    return standsOn(all.find((each) => each.name === name)?.over ?? null);
  };
  return targets
    .map((target): T => {
      const [, direct, ...further] = lineOf(target, all);
      if (direct === undefined) return { ...target, over: standsOn(target.over) };
      if (isHere(direct.name)) return target;
      const base = further.find(({ name }) => isHere(name));
      if (base === undefined) return { ...target, over: null, variantOf: null, variant: null };
      const variant = `all up to ${target.variant}`;
      return { ...target, over: base.name, variantOf: base.name, variant };
    })
    .toSorted((a, b) => height(a) - height(b));
}
