import { CPU, floorCellOf, sidesOf } from '../figures/figures.ts';
import { verdictOf } from '../math/sequential.ts';
import { ALPHA, changeBetween, type Estimate, estimate } from '../math/statistics.ts';
import type { Load } from '../plan/loads.ts';
import type { RunRecord } from '../record/record.ts';
import { isSpoiled, spoiling } from '../validity/flags.ts';
import { costCondition } from './comparisons.ts';
import type { Summary } from './summary.ts';

/** The CPU time of a request in two records; changes are shares of the older one. */
export type RecordComparison = NonNullable<ReturnType<typeof compareRecords>>;
export type RecordRow = RecordComparison['rows'][number];

/** What differs between two records apart from the results: the name of each thing, with both values as JSON. */
export function differencesOf(old: RunRecord, fresh: RunRecord): string[] {
  const after = new Map(factsOf(fresh));
  return factsOf(old).flatMap(([name, values]) => {
    const others = new Map(Object.entries(after.get(name) ?? {}));
    return Object.entries(values).flatMap(([key, value]) => {
      const [before, now] = [JSON.stringify(value), JSON.stringify(others.get(key))];
      return now === undefined || now === before ? [] : [`${name}, ${key}: ${before} and ${now}`];
    });
  });
}

/** How something was measured. */
function factsOf({ machine, plan, targets }: RunRecord): [name: string, values: object][] {
  const { platform, kernel, cpuModel, cores, parallelism, hypervisor, governor } = machine;
  const own = { platform, kernel, cpuModel, cores, parallelism, hypervisor, governor };
  const { warmup, generatorCores } = plan;
  return [
    ['machine', { ...own, cpuSource: machine.cpuSource, memory: machine.memoryTotalBytes }],
    ['Node', { version: machine.versions.node }],
    ['method', { warmup, generatorCores }],
    ...plan.loads.map((load): [string, object] => [`load ${load.id}`, kindOf(load)]),
    ...plan.topologies.map(({ id, cores: on, manager, processes }): [string, object] => {
      return [`topology ${id}`, { cores: on, manager, processes }];
    }),
    ...targets.map(({ name, requests, ...own }): [string, object] => {
      const asked = requests.map(({ request, weight }) => ({ request, weight }));
      const { runtime, cpuLimit, memoryLimit } = own;
      return [`target ${name}`, { asked, runtime, cpuLimit, memoryLimit }];
    }),
  ];
}

/** A load without its amounts: these follow from the servers, and are in the intervals. */
function kindOf(load: Load): object {
  const { sliceNs: _slice, everyNthRound: _every, timeoutNs: _timeout, ...rest } = load;
  return rest.kind === 'open' ? rest : { ...rest, blocks: rest.blocks > 1 ? 'several' : 'one' };
}

/**
 * The CPU time of requests in two records, read where overheads are: differences of means over launches that have only
 * the machine in common, so they are no more certain than the change of the floor. Null if they share no target.
 */
export function compareRecords(old: Summary, fresh: Summary) {
  const condition = costCondition(fresh.conditions);
  if (condition === undefined) return null;
  const before = old.conditions.find(({ load, topology }) => {
    return load.id === condition.load.id && topology.id === condition.topology.id;
  });
  const pairs = condition.cells.flatMap((own) => {
    const base = before?.cells.find(({ cell }) => cell.id === own.cell.id);
    return base === undefined ? [] : [{ own, base }];
  });
  if (pairs.length === 0) return null;
  const confidence = 1 - ALPHA / pairs.length;
  const changes = pairs.map(({ own, base }) => {
    const sides = sidesOf(own.slices, base.slices, CPU);
    return { own, base, sides, change: changeBetween(sides, confidence) };
  });
  const rows = changes.map(({ own, base, sides, change }) => {
    const floor = floorCellOf(fresh.record, own.cell);
    const drift = changes.find((each) => each.own.cell === floor)?.change;
    const certain = widened(change, drift);
    const flags = [...own.flags, ...base.flags];
    const verdict = isSpoiled(flags, 'cpu')
      ? "can't tell"
      : verdictOf(certain, fresh.record.plan.equivalence);
    return {
      target: own.target,
      /** ns. */
      cpu: { old: estimate(sides.other), new: estimate(sides.own) },
      /** As measured; for the floor that is the drift of the machine. */
      change,
      /** Including the drift, in both directions; none without a floor. */
      certain,
      /** Null for the floor. */
      verdict: floor === own.cell ? null : verdict,
      /** Reasons for a missing verdict. */
      flags: spoiling(flags, 'cpu'),
    };
  });
  return { condition, rows };
}

/** A change with the drift of the machine added to both ends. */
function widened(change: Estimate, drift: Estimate | undefined): Estimate {
  if (change.kind !== 'interval' || drift?.kind !== 'interval') return { kind: 'none' };
  const most = Math.max(Math.abs(drift.low), Math.abs(drift.high));
  return { ...change, low: change.low - most, high: change.high + most };
}
