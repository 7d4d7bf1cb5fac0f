import { startGuarded } from './launch/context.ts';
import { startVerified } from './launch/ready.ts';
import type { LaunchContext, RunningServer } from './launch/server.ts';
import { type Generator, startGenerator } from './load/generator.ts';
import { measure } from './load/measure.ts';
import { sliceOrder, warmupOrder } from './load/order.ts';
import type { Measurement } from './load/protocol.ts';
import { type Cell, cellOf, type Group } from './plan.ts';
import type { Failure, RunRecord } from './record.ts';
import type { LocalTarget } from './targets.ts';
import { readMemory } from './usage.ts';

/** What the outside may want to see or to stop while a run goes on. */
export interface RunEvents {
  onLaunch(launch: number, group: Group): void;
  onCell(cell: Cell, purpose: 'warm-up' | 'slice'): void;
  onFailure(failure: Failure): void;
  /** A round is over, and the record holds it. */
  onRound(record: RunRecord): Promise<void>;
  /** Aborted: end after the current slice. */
  soon: AbortSignal;
  /** Aborted: end at once. */
  now: AbortSignal;
}

interface RunContext extends RunEvents {
  record: RunRecord;
  targets: LocalTarget[];
  generator: Generator;
  launching: LaunchContext;
  /** The harness's own processes. */
  harness: number[];
  sinceStartNs: () => number;
}

/**
 * Carries out the record's plan and fills the record in. Nothing that it started is left when it
 * ends, in whatever way; servers that failed are in the record.
 * @throws when the harness itself can't go on.
 */
export async function run(
  record: RunRecord,
  targets: LocalTarget[],
  events: RunEvents,
): Promise<void> {
  const startedNs = process.hrtime.bigint();
  const sinceStartNs = () => Number(process.hrtime.bigint() - startedNs);
  await using guarded = startGuarded(events.now);
  await using generator = await startGenerator(record.plan.generatorCores);
  const { guardian, launching } = guarded;
  const harness = [process.pid, guardian.pid];
  const context = { ...events, record, targets, generator, launching, harness, sinceStartNs };
  try {
    for (const [launch, groups] of record.plan.launches.entries()) {
      for (const group of groups) {
        if (!events.soon.aborted) await runGroup(launch, group, context);
      }
    }
    record.state = events.soon.aborted ? 'interrupted' : 'complete';
  } catch (error) {
    record.state = 'interrupted';
    if (!events.now.aborted) throw error;
  } finally {
    record.wallNs = sinceStartNs();
    // Somebody may have killed the guardian; that is no reason to lose the record.
    const guardianBytes = await readMemory([guardian.pid]).catch(() => 0);
    record.harnessPeakBytes = process.resourceUsage().maxRSS * 1024 + guardianBytes;
  }
}

/** One launch of a group: start, verify, warm up, measure round by round, stop. */
async function runGroup(launch: number, group: Group, context: RunContext): Promise<void> {
  const { record } = context;
  const broken = new Set(record.failures.map(({ server }) => server));
  const cells = group.cells
    .map((id) => cellOf(record.plan, id))
    .filter((cell) => !broken.has(cell.server));
  if (cells.length === 0) return;
  context.onLaunch(launch, group);

  await using ready = await startVerified(
    cells,
    record.plan.topologies,
    context.targets,
    context.launching,
  );
  for (const notReady of ready.notReady) addFailure({ launch, ...notReady }, context);
  const { servers } = ready;

  for (const key of record.plan.warmupNs > 0 ? [...servers.keys()] : []) {
    const cell = cells.find(({ server }) => server === key);
    if (cell !== undefined) await load('warm-up', cell, launch, servers, context);
  }
  for (const [round, order] of group.rounds.entries()) {
    for (const id of order) {
      const startedNs = context.sinceStartNs();
      const measurement = await load('slice', cellOf(record.plan, id), launch, servers, context);
      if (measurement) record.slices.push({ cell: id, launch, round, startedNs, measurement });
    }
    record.wallNs = context.sinceStartNs();
    await context.onRound(record);
    record.firstTableNs ??= sinceFirstSlice(record, context.sinceStartNs());
    if (context.soon.aborted) return;
  }
}

/**
 * Puts load on a cell's server. Returns nothing where the run is to end or the server is lost; one
 * that is lost now is taken out of `servers` and put down as a failure.
 */
async function load(
  purpose: 'warm-up' | 'slice',
  cell: Cell,
  launch: number,
  servers: Map<string, RunningServer>,
  context: RunContext,
): Promise<Measurement | null> {
  const server = servers.get(cell.server);
  if (server === undefined || context.soon.aborted) return null;
  context.onCell(cell, purpose);
  const makeOrder = purpose === 'slice' ? sliceOrder : warmupOrder;
  const order = makeOrder(cell, server, context.record.plan, context.harness);
  const measured = await measure(server, order, context.generator, context.now);
  if (measured.state === 'measured') return measured.measurement;
  servers.delete(cell.server);
  addFailure({ server: cell.server, launch, when: purpose, ...measured.failure }, context);
  return null;
}

function sinceFirstSlice({ slices: [first] }: RunRecord, nowNs: number): number | null {
  return first ? nowNs - first.startedNs - first.measurement.windowNs : null;
}

function addFailure(failure: Failure, context: RunContext): void {
  context.record.failures.push(failure);
  context.onFailure(failure);
}
