import { CPU, floorCellOf, samples, slicesOf } from '../figures/figures.ts';
import { ALPHA, verdictOf } from '../math/sequential.ts';
import { changeBetween, type Estimate, estimate } from '../math/statistics.ts';
import type { Verdict } from '../math/verdicts.ts';
import type { Load } from '../plan/loads.ts';
import { type Cell, isStandard } from '../plan/plan.ts';
import type { RunRecord } from '../record/record.ts';
import type { Target } from '../targets/targets.ts';
import { type Flag, isSpoiled, spoiling, uniqueFlags } from '../validity/flags.ts';
import { costCondition } from './comparisons.ts';
import type { Condition } from './conditions.ts';
import type { Summary } from './summary.ts';

/** What a request costs a target in two records; changes are shares of the older one. */
export interface RecordRow {
  target: Target;
  /** CPU time of a request, ns. */
  cpu: { old: Estimate; new: Estimate };
  /** As it is; of the floor that is the drift. */
  change: Estimate;
  /** With all that the floor has moved, or may have, on both sides; none where there is no floor. */
  certain: Estimate;
  /** Null of the floor. */
  verdict: Verdict | null;
  /** Why there can be no verdict. */
  flags: Flag[];
}

export interface RecordComparison {
  condition: Condition;
  rows: RecordRow[];
}

/** What is known of how something was measured, by what it is called. */
type Facts = Map<string, string>;

/** How two records differ in more than what was measured: each thing by its name, with both values. */
export function differencesOf(old: RunRecord, fresh: RunRecord): string[] {
  const [before, after] = [factsOf(old), factsOf(fresh)];
  return [...before].flatMap(([name, value]) => {
    const other = after.get(name);
    return other === undefined || other === value ? [] : [`${name}: ${value} and ${other}`];
  });
}

function factsOf({ machine, plan, targets }: RunRecord): Facts {
  const { platform, kernel, cpuModel, cores, parallelism, hypervisor, governor } = machine;
  const own = { platform, kernel, cpuModel, cores, parallelism, hypervisor, governor };
  const { warmup, generatorCores } = plan;
  const facts: [string, object][] = [
    ['machine', { ...own, cpuSource: machine.cpuSource, memory: machine.memoryTotalBytes }],
    ['Node', { version: machine.versions.node }],
    ['method', { warmup, generatorCores }],
    ...plan.loads.map((load): [string, object] => [`load ${load.id}`, kindOf(load)]),
    ...plan.topologies.map(({ id, cores: on, manager, processes }): [string, object] => {
      return [`topology ${id}`, { cores: on, manager, processes }];
    }),
    ...targets.map(({ name, requests, runtime, ...own }): [string, object] => {
      const asked = requests.map(({ request, weight }) => ({ request, weight }));
      const { cpuLimit, memoryLimit } = own;
      return [`target ${name}`, { asked, runtime, cpuLimit, memoryLimit }];
    }),
  ];
  return new Map(
    facts.flatMap(([name, values]) => {
      return Object.entries(values).map(([key, value]): [string, string] => {
        return [`${name}, ${key}`, JSON.stringify(value)];
      });
    }),
  );
}

/** What a load is, without how much of it there was: that follows from what servers told, and is in the intervals. */
function kindOf(load: Load): object {
  const { sliceNs: _slice, everyNthRound: _every, timeoutNs: _timeout, ...rest } = load;
  return rest.kind === 'open' ? rest : { ...rest, blocks: rest.blocks > 1 ? 'several' : 'one' };
}

/**
 * What requests cost in two records, where CPU time is read: differences of means over launches that have nothing in
 * common but the machine, and so no more certain than how far the floor has moved. Null where they share no target.
 */
export function compareRecords(old: Summary, fresh: Summary): RecordComparison | null {
  const condition = costCondition(fresh.conditions);
  if (condition === undefined) return null;
  const before = old.conditions.find(({ load, topology }) => {
    return load.id === condition.load.id && topology.id === condition.topology.id;
  });
  const pairs = condition.cells.flatMap((own) => {
    const base = before?.cells.find(({ cell }) => cell.id === own.cell.id);
    return base === undefined || !isStandard(own.cell) ? [] : [{ own, base }];
  });
  if (pairs.length === 0) return null;
  const confidence = 1 - ALPHA / pairs.length;
  const changes = pairs.map(({ own, base }) => {
    const [after, before] = [samplesOf(fresh.record, own.cell), samplesOf(old.record, base.cell)];
    return { own, base, after, before, change: changeBetween(after, before, confidence) };
  });
  const rows = changes.map(({ own, base, after, before, change }): RecordRow => {
    const floor = floorCellOf(fresh.record, own.cell);
    const isFloor = floor === own.cell;
    const drift = changes.find(({ own: { cell } }) => cell === floor)?.change;
    const certain: Estimate = drift === undefined ? { kind: 'none' } : widened(change, drift);
    const all = [...own.flags, ...base.flags];
    const found = isSpoiled(all, 'cpu')
      ? "can't tell"
      : verdictOf(certain, fresh.record.plan.equivalence);
    return {
      target: own.target,
      cpu: { old: estimate(before), new: estimate(after) },
      change,
      certain,
      verdict: isFloor ? null : found,
      flags: uniqueFlags(spoiling(all, 'cpu')),
    };
  });
  return { condition, rows };
}

function samplesOf(record: RunRecord, cell: Cell) {
  return samples(slicesOf(record, cell), CPU);
}

/** A change by which the machine may have moved too, on both sides. */
function widened(change: Estimate, drift: Estimate): Estimate {
  if (change.kind !== 'interval' || drift.kind !== 'interval') return { kind: 'none' };
  const most = Math.max(Math.abs(drift.low), Math.abs(drift.high));
  return { ...change, low: change.low - most, high: change.high + most };
}
