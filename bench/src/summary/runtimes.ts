import type { Comparison } from '../math/verdicts.ts';
import { canRun } from '../plan/resources.ts';
import type { RunRecord } from '../record/record.ts';
import { withoutRuntime } from '../targets/copies.ts';
import { isSameRuntime, type Runtime } from '../targets/runtime.ts';
import type { Target } from '../targets/targets.ts';
import type { Flag } from '../validity/flags.ts';
import { compareFamily } from './compare-family.ts';
import { costCondition } from './comparisons.ts';
import { type CellSummary, type Condition, cellIn } from './conditions.ts';

/** A target on one of several runtimes. */
export interface RuntimeRow {
  target: Target;
  runtime: Runtime;
  summary: CellSummary;
  /**
   * CPU per request over that of the same target on the first runtime; null for that one itself, and
   * where the two share no round.
   */
  comparison: Comparison | null;
  /** Why not to trust the comparison. */
  flags: Flag[];
}

export interface RuntimeTable {
  /** Where they are read. */
  condition: Condition;
  /** The one that was named first. */
  base: Runtime;
  /** Those that no process manager of this run can keep. */
  unkept: Runtime[];
  /** Target by target, runtime by runtime. */
  rows: RuntimeRow[];
}

/** Every target on each runtime, read where overheads are; null where there are not several. */
export function summarizeRuntimes(record: RunRecord, conditions: Condition[]): RuntimeTable | null {
  const { targets, plan } = record;
  const runtimes = runtimesOf(record);
  const [base] = runtimes;
  const condition = costCondition(conditions);
  if (base === undefined || runtimes.length < 2 || condition === undefined) return null;

  const pairs = targets.flatMap((target) => {
    const { runtime } = target;
    const summary = cellIn(condition, target);
    const first = condition.cells.find(({ target: each }) => {
      return (
        isSameRuntime(each.runtime, base) &&
        withoutRuntime(each).name === withoutRuntime(target).name
      );
    });
    if (runtime === null || summary === undefined) return [];
    return [{ target, runtime, summary, base: first }];
  });
  const rows = compareFamily(record, pairs);
  const unkept = runtimes.filter((runtime) => {
    const own = record.targets.filter((target) => isSameRuntime(target.runtime, runtime));
    return own.some((target) => !plan.topologies.every((topology) => canRun(target, topology)));
  });
  return { condition, base, unkept, rows };
}

/** The runtimes of a run, in the order in which they were named; none where only the harness's own ran. */
export function runtimesOf({ targets }: RunRecord): Runtime[] {
  const all = targets.map(({ runtime }) => runtime).filter((runtime) => runtime !== null);
  return all.filter((runtime, index) => {
    return all.findIndex((other) => isSameRuntime(other, runtime)) === index;
  });
}
