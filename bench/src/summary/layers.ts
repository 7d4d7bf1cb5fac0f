import { findLayerStacks, floorOf, type LayerStack, stackLine } from '../targets/layers.ts';
import type { Target } from '../targets/targets.ts';
import type { VariantStep } from '../targets/variants.ts';
import type { DeclaredTable } from '../workload/declaration.ts';
import { costsOf } from './compare-family.ts';
import { type Condition, cellIn } from './summary.ts';

export type LayerTable = NonNullable<ReturnType<typeof summarizeLayers>>;
export type LayerRow = LayerTable['rows'][number];
/** How much of a framework's highest layer is the framework, in CPU time, ns. */
export type Endpoint = LayerTable['endpoints'][number];

/** What the lowest layer serves; what frameworks have of their own, and the floor's part in its place. */
type Layers = Pick<Extract<DeclaredTable, { table: 'layers' }>, 'lowest' | 'swap'>;

/** The costs of layers; null if none was measured. The verdicts are one family. */
export function summarizeLayers(condition: Condition, { lowest, swap }: Layers) {
  const stacks = stacksIn(condition, swap?.variant ?? null);
  const steps = stacks.flatMap(({ stepsUp, ends }) => [...stepsUp, ends.own, ends.swapped]);
  const costOf = costsOf(condition, ['server'], steps);
  const cellOf = (target: Target, step: VariantStep | null) => {
    const summary = cellIn(condition, target);
    if (!summary?.figures) return null;
    const cost = costOf(step);
    return {
      target,
      /** What each service uses for a request, without idle use. */
      services: summary.services?.each ?? [],
      /** CPU time of the server for a request, with all layers below, ns. */
      cpuNs: summary.figures.cpuPerRequest,
      /** What it costs more than the layer below it; null for the lowest, and if the two share no launch. */
      more: cost?.costs[0] ?? null,
      flags: [...summary.flags, ...(cost?.flags ?? [])],
    };
  };
  /** The lowest layer first, branches last. */
  const rows = rowsOf(stacks).map(({ layer, variant, place }) => {
    /** In the order of the frameworks; null if it was not measured. */
    const cells = stacks.map((stack) => {
      const target = [...stack.layers, ...stack.branches].find((each) => layerOf(each) === layer);
      if (target === undefined) return null;
      return cellOf(target, stack.stepsUp.find((step) => step.target === target) ?? null);
    });
    return { variant, place, cells };
  });
  if (rows.every(({ cells }) => cells.every((cell) => cell === null))) return null;
  /** The framework is its lowest layer, which has its name. */
  const endpoints = stacks.flatMap(({ layers: [framework], top, ends }) => {
    const cell = cellOf(top, null);
    if (cell === null) return [];
    const costs = [costOf(ends.own), costOf(ends.swapped)];
    /**
     * More than the floor with the same libraries; and what its own part costs more than the floor's in its place. Null
     * for the floor, and for what was not measured.
     */
    const [own = null, swapped = null] = costs.map((cost) => cost?.costs[0] ?? null);
    const flags = [...cell.flags, ...costs.flatMap((cost) => cost?.flags ?? [])];
    const { cpuNs, services } = cell;
    return [{ framework, cpuNs, own, swapped, services, flags }];
  });
  const frameworks = stacks.map(({ layers: [root] }) => root);
  return { condition, lowest, swap, frameworks, rows, endpoints };
}

/** The stacks of frameworks in a condition: the floor first, then what stands on it, and so on. */
function stacksIn({ record, cells }: Condition, swap: string | null) {
  const targets = record.targets.filter((target) => cells.some((cell) => cell.target === target));
  const stacks = findLayerStacks(targets, swap);
  const heightOf = (stack: LayerStack) => stackLine(stack, stacks).length;
  const sorted = stacks.toSorted((a, b) => heightOf(a) - heightOf(b));
  return sorted.map((stack) => {
    return { ...stack, top: topOf(stack), stepsUp: stepsUp(stack), ends: endSteps(stack, stacks) };
  });
}

function topOf({ layers }: LayerStack): Target {
  return layers.at(-1) ?? layers[0];
}

/** Each layer over the one below it, and each branch over the layer that it leaves. */
function stepsUp({ layers, branches }: LayerStack): VariantStep[] {
  return [...layers, ...branches].flatMap((target) => {
    const over = layers.find(({ name }) => name === target.variantOf);
    return over === undefined ? [] : [{ target, over }];
  });
}

/** What the highest layer consists of: with the same libraries over the floor's, and with its own part over that. */
function endSteps(stack: LayerStack, stacks: readonly LayerStack[]) {
  const top = topOf(stack);
  const end = floorOf(stack, stacks)?.layers.find((each) => layerOf(each) === layerOf(top));
  const { swapped } = stack;
  return {
    own: end === undefined || end === top ? null : { target: swapped ?? top, over: end },
    swapped: swapped === null ? null : { target: top, over: swapped },
  };
}

/** `branch`: on top of a layer that is not the last one. */
type Place = 'lowest' | 'in the stack' | 'branch';

/** The layers of all stacks by what they serve. One that is in the stack of any framework counts as in the stack. */
function rowsOf(stacks: readonly LayerStack[]) {
  const [highest] = stacks.toSorted((a, b) => b.layers.length - a.layers.length);
  const order = highest?.layers.map(layerOf) ?? [];
  const heightOf = (layer: string) => (order.includes(layer) ? order.indexOf(layer) : order.length);
  const row = (target: Target, place: Place) => {
    return { layer: layerOf(target), variant: target.variant, place };
  };
  const all = stacks.flatMap(({ layers, branches }) => [
    ...layers.map((target, height) => row(target, height === 0 ? 'lowest' : 'in the stack')),
    ...branches.map((target) => row(target, 'branch')),
  ]);
  const unique = [...new Map(all.toReversed().map((each) => [each.layer, each])).values()];
  return unique.toSorted((a, b) => heightOf(a.layer) - heightOf(b.layer));
}

/** The word for what a target adds to the layer below it, which is the same for this layer in every framework. */
function layerOf({ variant }: Pick<Target, 'variant'>): string {
  return variant ?? '';
}
