import { UserError } from '../base/errors.ts';
import { generatorPool } from '../load/pool.ts';
import { drawLaunch } from '../plan/draw.ts';
import type { Group } from '../plan/plan.ts';
import type { RunRecord } from '../record/record.ts';
import type { Backend } from './backend.ts';
import type { MeasuredTargets, RunContext, RunEvents } from './context.ts';
import { GeneratorCounts } from './generators.ts';
import { runGroup } from './group.ts';
import { wholeLaunches } from './resume.ts';
import type { Step } from './steps.ts';

/**
 * Carries out the plan of a record and fills the record in, also with servers that fail. However it ends, nothing that
 * it started keeps running.
 * @throws when the harness itself can't continue.
 */
export async function run(
  record: RunRecord,
  { targets, probes = [], readTimer = async () => null }: MeasuredTargets,
  events: RunEvents,
  backend: Backend,
): Promise<void> {
  const { clock } = backend;
  // A run that is continued has taken some time already.
  const startedNs = clock.now() - record.wallNs;
  const sinceStartNs = () => clock.now() - startedNs;
  await using launches = backend.startLaunches(events.now);
  await using pool = generatorPool(backend.startGenerator, clock);
  let current: Step | null = null;
  const given = { record, targets: [...targets, ...probes], readTimer, backend };
  const context: RunContext = {
    ...{ ...events, ...given, launches, pool, sinceStartNs },
    onStep: (step) => {
      current = step;
      events.onStep(step);
    },
    generators: new GeneratorCounts(record),
    harness: [process.pid, ...launches.pids],
    exposed: new Set(),
  };
  const others = launches.otherRuns();
  if (others.length > 0) {
    const who = `process ${others.join(', ')}`;
    events.say(`Another run is measuring on this machine (${who}): they disturb each other.`);
  }
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
    if (!events.now.aborted) throw withCells(error, current);
  } finally {
    record.wallNs = sinceStartNs();
    // The guardian may have been killed; that is no reason to lose the record.
    const guardianBytes = await launches.readMemory(launches.pids).catch(() => 0);
    const peakBytes = backend.peakBytes() + guardianBytes;
    record.harnessPeakBytes = Math.max(record.harnessPeakBytes, peakBytes);
  }
}

/** An error for the user names the cells of the step in which it was thrown. */
function withCells(error: unknown, step: Step | null): unknown {
  if (!(error instanceof UserError) || step === null) return error;
  if (!('cells' in step)) return error;
  return new UserError(`${step.cells.join(', ')}: ${error.message}`, error.next, { cause: error });
}

/** The planned launches that are not measured yet, then as many more as are needed, which are added to the plan. */
function* launchesOf(context: RunContext): Generator<[number, Group[]]> {
  const { record, soon, sinceStartNs } = context;
  const { plan } = record;
  yield* [...plan.launches.entries()].slice(wholeLaunches(record));
  while (!soon.aborted && context.wantsAnother(record, sinceStartNs())) {
    const groups = drawLaunch(plan);
    plan.launches.push(groups);
    yield [plan.launches.length - 1, groups];
  }
}
