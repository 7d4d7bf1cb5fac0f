import { UserError } from '../base/errors.ts';
import { GeneratorPool } from '../load/pool.ts';
import { drawLaunch } from '../plan/draw.ts';
import type { Group } from '../plan/plan.ts';
import type { RunRecord } from '../record/record.ts';
import type { Backend } from './backend.ts';
import type { RunContext, RunEvents } from './context.ts';
import { GeneratorCounts } from './generators.ts';
import { runGroup } from './group.ts';
import type { MeasuredTargets } from './measured-targets.ts';
import type { Step } from './steps.ts';

/**
 * Carries out the record's plan and fills the record in. Nothing that it started is left when it
 * ends, in whatever way; servers that failed are in the record.
 * @throws when the harness itself can't go on.
 */
export async function run(
  record: RunRecord,
  { targets, probes, readTimer }: MeasuredTargets,
  events: RunEvents,
  backend: Backend,
): Promise<void> {
  const { clock } = backend;
  const startedNs = clock.now();
  const sinceStartNs = () => clock.now() - startedNs;
  await using launches = backend.startLaunches(events.now);
  await using pool = new GeneratorPool(backend.startGenerator, clock);
  const harness = [process.pid, ...launches.pids];
  const generators = new GeneratorCounts();
  const calls = new WeakMap();
  const own = { backend, launches, pool, generators, calls, harness, sinceStartNs };
  const all = [...targets, ...probes];
  let current: Step | null = null;
  const onStep = (step: Step) => {
    current = step;
    events.onStep(step);
  };
  const context: RunContext = { ...events, onStep, record, targets: all, readTimer, ...own };
  const others = launches.otherRuns();
  if (others.length > 0) events.onOtherRuns(others);
  try {
    for (const [launch, groups] of launchesOf(context)) {
      for (const group of groups) {
        record.hadOtherRuns ||= launches.otherRuns().length > 0;
        if (!events.soon.aborted) await runGroup(launch, group, context);
      }
    }
    record.state = events.soon.aborted ? 'interrupted' : 'complete';
  } catch (error) {
    record.state = 'interrupted';
    if (!events.now.aborted) throw errorIn(current, error);
  } finally {
    record.wallNs = sinceStartNs();
    // Somebody may have killed the guardian; that is no reason to lose the record.
    const guardianBytes = await launches.readMemory(launches.pids).catch(() => 0);
    record.harnessPeakBytes = backend.peakBytes() + guardianBytes;
  }
}

/** An error for the user, with the cells of the step that it came of. */
function errorIn(step: Step | null, error: unknown): unknown {
  if (!(error instanceof UserError) || step === null) return error;
  const cells = 'cells' in step ? step.cells : 'cell' in step ? [step.cell] : [];
  if (cells.length === 0) return error;
  return new UserError(`${cells.join(', ')}: ${error.message}`, error.next, { cause: error });
}

/** The planned launches, and then as many more as are wanted, which the plan takes up. */
function* launchesOf(context: RunContext): Generator<[number, Group[]]> {
  const { record, soon, sinceStartNs } = context;
  const { plan } = record;
  yield* plan.launches.entries();
  while (!soon.aborted && context.wantsAnother(record, sinceStartNs())) {
    const groups = drawLaunch(plan);
    plan.launches.push(groups);
    yield [plan.launches.length - 1, groups];
  }
}
