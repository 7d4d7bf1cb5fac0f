import { samples, slicesOf } from '../figures/figures.ts';
import { cpuOfRole, rolesOf } from '../figures/roles.ts';
import { type Estimate, estimate } from '../math/statistics.ts';
import type { RunRecord } from '../record/record.ts';
import { SERVICE_NAMES, type ServiceName } from '../services/index.ts';
import { baseLine, type Climb, findClimbs, floorOf, rungOf } from '../targets/climbs.ts';
import type { Step } from '../targets/ladders.ts';
import type { Target } from '../targets/targets.ts';
import { type Flag, uniqueFlags } from '../validity/flags.ts';
import type { Condition } from './conditions.ts';
import { type ChangeCost, costsOf, keyOf, type RoleCost } from './role-costs.ts';

/** What a rung costs a framework. */
export interface RungCell {
  target: Target;
  /** CPU time of the server for a request, all rungs below included, ns. */
  cpuNs: Estimate;
  /** What it costs more than the rung below it; null for the lowest, and where the two share no round. */
  more: RoleCost | null;
  /** Why not to trust that. */
  flags: Flag[];
}

/** One rung in all frameworks. */
export interface RungRow {
  /** In a word; null for the lowest. */
  variant: string | null;
  /** `branch`: beside the ladder, on top of a rung that is not the last one. */
  place: 'lowest' | 'on the ladder' | 'branch';
  /** In the order of the frameworks; null where it was not measured. */
  cells: (RungCell | null)[];
}

/** How much of a framework's highest rung is the framework, in CPU time, ns. */
export interface Endpoint {
  /** The lowest rung of the framework, which has its name. */
  framework: Target;
  top: Target;
  cpuNs: Estimate;
  /** More than the floor with the same libraries; null for the floor, and where that was not measured. */
  own: RoleCost | null;
  /** More than with the floor's validator; null where it has none of its own, or that was not measured. */
  validator: RoleCost | null;
  /** What services take for a request, without what they use idle. */
  services: { name: ServiceName; cpuNs: Estimate }[];
  flags: Flag[];
}

/** What each rung costs each framework in a condition. */
export interface RungTable {
  condition: Condition;
  frameworks: Target[];
  /** The lowest rung first, branches last. */
  rows: RungRow[];
  endpoints: Endpoint[];
}

/** What rungs cost; null where none was measured. The verdicts are of one family. */
export function summarizeRungs(record: RunRecord, condition: Condition): RungTable | null {
  const climbs = climbsIn(record, condition);
  const steps = climbs.flatMap((climb) => [
    ...stepsUp(climb),
    ...Object.values(endSteps(climb, climbs)).filter((step) => step !== null),
  ]);
  const costs = costsOf(record, condition, ['server'], steps);
  const costOf = (step: Step | null): ChangeCost | null => (step && costs.get(keyOf(step))) ?? null;
  const cellOf = (target: Target, step: Step | null): RungCell | null => {
    const summary = condition.cells.find((each) => each.target === target);
    if (summary?.outcome.state !== 'measured') return null;
    const cost = costOf(step);
    return {
      target,
      cpuNs: summary.outcome.figures.cpuPerRequest,
      more: cost?.costs[0] ?? null,
      flags: uniqueFlags([...summary.flags, ...(cost?.flags ?? [])]),
    };
  };
  const rows = rowsOf(climbs).map(({ rung, ...row }): RungRow => {
    const cells = climbs.map((climb) => {
      const target = [...climb.rungs, ...climb.branches].find((each) => rungOf(each) === rung);
      if (target === undefined) return null;
      return cellOf(target, stepsUp(climb).find((step) => step.target === target) ?? null);
    });
    return { ...row, cells };
  });
  const endpoints = climbs.flatMap((climb): Endpoint[] => {
    const [framework] = climb.rungs;
    const top = topOf(climb);
    const cell = cellOf(top, null);
    if (cell === null) return [];
    const steps = endSteps(climb, climbs);
    const [own, validator] = [costOf(steps.own), costOf(steps.validator)];
    return [
      {
        ...{ framework, top, cpuNs: cell.cpuNs },
        own: own?.costs[0] ?? null,
        validator: validator?.costs[0] ?? null,
        services: servicesOf(record, condition, top),
        flags: uniqueFlags([...cell.flags, ...(own?.flags ?? []), ...(validator?.flags ?? [])]),
      },
    ];
  });
  if (rows.every(({ cells }) => cells.every((cell) => cell === null))) return null;
  return { condition, frameworks: climbs.map(({ rungs: [root] }) => root), rows, endpoints };
}

/** How the frameworks of a condition climb: the floor first, then what stands on it, and so on. */
function climbsIn(record: RunRecord, { cells }: Condition): Climb[] {
  const targets = record.targets.filter((target) => cells.some((cell) => cell.target === target));
  const climbs = findClimbs(targets);
  const heightOf = (climb: Climb) => baseLine(climb, climbs).length;
  return climbs.toSorted((a, b) => heightOf(a) - heightOf(b));
}

function topOf({ rungs }: Climb): Target {
  return rungs.at(-1) ?? rungs[0];
}

/** Each rung over the one below it, and each branch over the rung that it leaves. */
function stepsUp({ rungs, branches }: Climb): Step[] {
  return [...rungs, ...branches].flatMap((target) => {
    const over = rungs.find(({ name }) => name === target.variantOf);
    return over === undefined ? [] : [{ target, over }];
  });
}

/**
 * What takes the highest rung apart: with the same libraries over the floor's, and with its own
 * validator over that.
 */
function endSteps(
  climb: Climb,
  climbs: readonly Climb[],
): Record<'own' | 'validator', Step | null> {
  const top = topOf(climb);
  const floor = floorOf(climb, climbs);
  const end = floor?.rungs.find((each) => rungOf(each) === rungOf(top));
  const { swapped } = climb;
  return {
    own: end === undefined || end === top ? null : { target: swapped ?? top, over: end },
    validator: swapped === null ? null : { target: top, over: swapped },
  };
}

/** The rungs of all climbs, by what they serve; those that are in the ladder of any are on it. */
function rowsOf(climbs: readonly Climb[]): (Omit<RungRow, 'cells'> & { rung: string })[] {
  const [highest] = climbs.toSorted((a, b) => b.rungs.length - a.rungs.length);
  const order = highest?.rungs.map(rungOf) ?? [];
  const placeOf = (rung: string) => (order.includes(rung) ? order.indexOf(rung) : order.length);
  const all = climbs.flatMap(({ rungs, branches }) => [
    ...rungs.map((target, height) => {
      const place = height === 0 ? ('lowest' as const) : ('on the ladder' as const);
      return { rung: rungOf(target), variant: target.variant, place };
    }),
    ...branches.map((target) => {
      return { rung: rungOf(target), variant: target.variant, place: 'branch' as const };
    }),
  ]);
  const unique = [...new Map(all.toReversed().map((row) => [row.rung, row])).values()];
  return unique.toSorted((a, b) => placeOf(a.rung) - placeOf(b.rung));
}

function servicesOf(record: RunRecord, { cells }: Condition, top: Target): Endpoint['services'] {
  const cell = cells.find(({ target }) => target === top)?.cell;
  const roles = rolesOf(record);
  const names = SERVICE_NAMES.filter((name) => roles.includes(name) && name in top.services);
  return names.map((name) => {
    const slices = cell === undefined ? [] : slicesOf(record, cell);
    return { name, cpuNs: estimate(samples(slices, cpuOfRole(record, name))) };
  });
}
