import { figureOf } from '../figures/figures.ts';
import { cpuOfRole, rolesOf } from '../figures/services.ts';
import type { Estimate } from '../math/statistics.ts';
import type { RunRecord } from '../record/record.ts';
import { SERVICE_NAMES, type ServiceName } from '../services/index.ts';
import { baseLine, findLayerStacks, floorOf, type LayerStack, layerOf } from '../targets/layers.ts';
import type { Step } from '../targets/lineage.ts';
import type { Target } from '../targets/targets.ts';
import { type Flag, uniqueFlags } from '../validity/flags.ts';
import type { DeclaredTable } from '../workload/declaration.ts';
import { type Condition, cellIn } from './conditions.ts';
import { type ChangeCost, costsOf, keyOf, type RoleCost } from './role-costs.ts';

/** What a layer costs a framework. */
export interface LayerCell {
  target: Target;
  /** CPU time of the server for a request, all layers below included, ns. */
  cpuNs: Estimate;
  /** What it costs more than the layer below it; null for the lowest, and where the two share no round. */
  more: RoleCost | null;
  /** Why not to trust that. */
  flags: Flag[];
}

/** One layer in all frameworks. */
export interface LayerRow {
  /** In a word; null for the lowest. */
  variant: string | null;
  /** `branch`: on top of a layer that is not the last one. */
  place: 'lowest' | 'in the stack' | 'branch';
  /** In the order of the frameworks; null where it was not measured. */
  cells: (LayerCell | null)[];
}

/** How much of a framework's highest layer is the framework, in CPU time, ns. */
export interface Endpoint {
  /** The lowest layer of the framework, which has its name. */
  framework: Target;
  top: Target;
  cpuNs: Estimate;
  /** More than the floor with the same libraries; null for the floor, and where that was not measured. */
  own: RoleCost | null;
  /** What is its own more than that of the floor in its place; null where that was not measured. */
  swapped: RoleCost | null;
  /** What services take for a request, without what they use idle. */
  services: { name: ServiceName; cpuNs: Estimate }[];
  flags: Flag[];
}

/** What each layer costs each framework in a condition. */
export interface LayerTable {
  condition: Condition;
  /** What the lowest layer serves. */
  lowest: string;
  /** What frameworks have of their own, and what the floor has in its place; null where that is no question. */
  swap: NonNullable<Layers['swap']> | null;
  frameworks: Target[];
  /** The lowest layer first, branches last. */
  rows: LayerRow[];
  endpoints: Endpoint[];
}

type Layers = Pick<Extract<DeclaredTable, { table: 'layers' }>, 'lowest' | 'swap'>;

/** What layers cost; null where none was measured. The verdicts are of one family. */
export function summarizeLayers(
  record: RunRecord,
  condition: Condition,
  { lowest, swap: declared }: Layers,
): LayerTable | null {
  const swap = declared ?? null;
  const stacks = stacksIn(record, condition, swap?.variant ?? null);
  const steps = stacks.flatMap((stack) => [
    ...stepsUp(stack),
    ...Object.values(endSteps(stack, stacks)).filter((step) => step !== null),
  ]);
  const costs = costsOf(record, condition, ['server'], steps);
  const costOf = (step: Step | null): ChangeCost | null => (step && costs.get(keyOf(step))) ?? null;
  const cellOf = (target: Target, step: Step | null): LayerCell | null => {
    const summary = cellIn(condition, target);
    if (summary?.outcome.state !== 'measured') return null;
    const cost = costOf(step);
    return {
      target,
      cpuNs: summary.outcome.figures.cpuPerRequest,
      more: cost?.costs[0] ?? null,
      flags: uniqueFlags([...summary.flags, ...(cost?.flags ?? [])]),
    };
  };
  const rows = rowsOf(stacks).map(({ layer, ...row }): LayerRow => {
    const cells = stacks.map((stack) => {
      const target = [...stack.layers, ...stack.branches].find((each) => layerOf(each) === layer);
      if (target === undefined) return null;
      return cellOf(target, stepsUp(stack).find((step) => step.target === target) ?? null);
    });
    return { ...row, cells };
  });
  const endpoints = stacks.flatMap((stack): Endpoint[] => {
    const [framework] = stack.layers;
    const top = topOf(stack);
    const cell = cellOf(top, null);
    if (cell === null) return [];
    const steps = endSteps(stack, stacks);
    const [own, swapped] = [costOf(steps.own), costOf(steps.swapped)];
    return [
      {
        ...{ framework, top, cpuNs: cell.cpuNs },
        own: own?.costs[0] ?? null,
        swapped: swapped?.costs[0] ?? null,
        services: servicesOf(record, condition, top),
        flags: uniqueFlags([...cell.flags, ...(own?.flags ?? []), ...(swapped?.flags ?? [])]),
      },
    ];
  });
  if (rows.every(({ cells }) => cells.every((cell) => cell === null))) return null;
  const frameworks = stacks.map(({ layers: [root] }) => root);
  return { condition, lowest, swap, frameworks, rows, endpoints };
}

/** How the frameworks of a condition stack: the floor first, then what stands on it, and so on. */
function stacksIn(record: RunRecord, { cells }: Condition, swap: string | null): LayerStack[] {
  const targets = record.targets.filter((target) => cells.some((cell) => cell.target === target));
  const stacks = findLayerStacks(targets, swap);
  const heightOf = (stack: LayerStack) => baseLine(stack, stacks).length;
  return stacks.toSorted((a, b) => heightOf(a) - heightOf(b));
}

function topOf({ layers }: LayerStack): Target {
  return layers.at(-1) ?? layers[0];
}

/** Each layer over the one below it, and each branch over the layer that it leaves. */
function stepsUp({ layers, branches }: LayerStack): Step[] {
  return [...layers, ...branches].flatMap((target) => {
    const over = layers.find(({ name }) => name === target.variantOf);
    return over === undefined ? [] : [{ target, over }];
  });
}

/**
 * What takes the highest layer apart: with the same libraries over the floor's, and with what is its own
 * over that.
 */
function endSteps(
  stack: LayerStack,
  stacks: readonly LayerStack[],
): Record<'own' | 'swapped', Step | null> {
  const top = topOf(stack);
  const floor = floorOf(stack, stacks);
  const end = floor?.layers.find((each) => layerOf(each) === layerOf(top));
  const { swapped } = stack;
  return {
    own: end === undefined || end === top ? null : { target: swapped ?? top, over: end },
    swapped: swapped === null ? null : { target: top, over: swapped },
  };
}

/** The layers of all stacks, by what they serve; those that are in the stack of any are in it. */
function rowsOf(stacks: readonly LayerStack[]): (Omit<LayerRow, 'cells'> & { layer: string })[] {
  const [highest] = stacks.toSorted((a, b) => b.layers.length - a.layers.length);
  const order = highest?.layers.map(layerOf) ?? [];
  const placeOf = (layer: string) => (order.includes(layer) ? order.indexOf(layer) : order.length);
  const all = stacks.flatMap(({ layers, branches }) => [
    ...layers.map((target, height) => {
      const place = height === 0 ? ('lowest' as const) : ('in the stack' as const);
      return { layer: layerOf(target), variant: target.variant, place };
    }),
    ...branches.map((target) => {
      return { layer: layerOf(target), variant: target.variant, place: 'branch' as const };
    }),
  ]);
  const unique = [...new Map(all.toReversed().map((row) => [row.layer, row])).values()];
  return unique.toSorted((a, b) => placeOf(a.layer) - placeOf(b.layer));
}

function servicesOf(record: RunRecord, condition: Condition, top: Target): Endpoint['services'] {
  const cell = cellIn(condition, top)?.cell;
  const roles = rolesOf(record);
  const names = SERVICE_NAMES.filter((name) => roles.includes(name) && name in top.services);
  return names.map((name) => {
    const figure = cpuOfRole(record, name);
    return { name, cpuNs: cell ? figureOf(record, cell, figure) : { kind: 'none' } };
  });
}
