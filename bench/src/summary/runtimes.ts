import { canRun } from '../plan/resources.ts';
import type { RunRecord } from '../record/record.ts';
import { withoutRuntime } from '../targets/copies.ts';
import { isSameRuntime, type Runtime } from '../targets/runtime.ts';
import { compareFamily } from './compare-family.ts';
import { costCondition } from './comparisons.ts';
import { type Condition, cellIn } from './conditions.ts';

export type RuntimeTable = NonNullable<ReturnType<typeof summarizeRuntimes>>;
/** A target on one of several runtimes, compared with itself on the first one. */
export type RuntimeRow = RuntimeTable['rows'][number];

/** Every target on each runtime, read where overheads are; null with fewer than two runtimes. */
export function summarizeRuntimes(record: RunRecord, conditions: Condition[]) {
  const { targets, plan } = record;
  const runtimes = runtimesOf(record);
  const [base] = runtimes;
  const condition = costCondition(conditions);
  if (base === undefined || runtimes.length < 2 || condition === undefined) return null;

  const onBase = condition.cells.filter(({ target }) => isSameRuntime(target.runtime, base));
  const pairs = targets.flatMap((target) => {
    const { runtime } = target;
    const { name } = withoutRuntime(target);
    const summary = cellIn(condition, target);
    const first = onBase.find((each) => withoutRuntime(each.target).name === name);
    if (runtime === null || summary === undefined) return [];
    return [{ target, runtime, summary, base: first }];
  });
  /** Those that the process managers of this run can't keep. */
  const unkept = runtimes.filter((runtime) => {
    const own = targets.filter((target) => isSameRuntime(target.runtime, runtime));
    return own.some((target) => !plan.topologies.every((topology) => canRun(target, topology)));
  });
  return { condition, base, unkept, rows: compareFamily(record, pairs) };
}

/** The runtimes of a run, in the order of the command line; none if only the harness's own was used. */
export function runtimesOf({ targets }: RunRecord): Runtime[] {
  const all = targets.map(({ runtime }) => runtime).filter((runtime) => runtime !== null);
  return all.filter((runtime, index) => {
    return all.findIndex((other) => isSameRuntime(other, runtime)) === index;
  });
}
