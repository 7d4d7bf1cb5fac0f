import { wantsAnother } from '../figures/width.ts';
import { startGuarded } from '../launch/context.ts';
import { startVerified } from '../launch/ready.ts';
import type { LaunchContext, RunningServer } from '../launch/server.ts';
import { measure } from '../load/measure.ts';
import type { Measurement } from '../load/measurement.ts';
import { generatorCores, sliceOrder, warmupOrder } from '../load/order.ts';
import { GeneratorPool } from '../load/pool.ts';
import type { Window } from '../load/protocol.ts';
import { type Cell, cellOf, drawLaunch, type Group, type Plan } from '../plan/plan.ts';
import type { Failure, HandlerTime, RunRecord, Slice } from '../record/record.ts';
import { readMemory } from '../system/usage.ts';
import type { LocalTarget } from '../targets/targets.ts';
import { GeneratorCounts } from './generators.ts';

/**
 * The loads that a warm-up is dealt to. The code that closes connections runs first when a load ends,
 * and much is compiled anew for it: after a single warm-up, that fell into the first slice.
 */
export const WARMUPS = 3;

/** How long each of them is. */
export function warmupWindow({ warmupNs }: Plan): Window {
  return { ns: Math.round(warmupNs / WARMUPS), answers: null };
}

/** What the outside may want to see or to stop while a run goes on. */
export interface RunEvents {
  onLaunch(launch: number, group: Group): void;
  onCell(cell: Cell, purpose: 'warm-up' | 'slice'): void;
  onFailure(failure: Failure): void;
  /** The generator was the limit of a topology under a load, which has so many of them from here on. */
  onGenerators(condition: Pick<Cell, 'topology' | 'load'>, count: number): void;
  /** After a slice: what the server's own clock says of its handler, if it has one. */
  readTimer(server: RunningServer): Promise<HandlerTime | null>;
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
  pool: GeneratorPool;
  generators: GeneratorCounts;
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
  await using pool = new GeneratorPool();
  const { guardian, launching } = guarded;
  const harness = [process.pid, guardian.pid];
  const own = { pool, generators: new GeneratorCounts(), launching, harness, sinceStartNs };
  const context: RunContext = { ...events, record, targets, ...own };
  try {
    for (const [launch, groups] of launchesOf(context)) {
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

/** The planned launches, and then as many more as its `until` asks for, which the plan takes up. */
function* launchesOf({ record, soon, sinceStartNs }: RunContext): Generator<[number, Group[]]> {
  const { plan } = record;
  yield* plan.launches.entries();
  while (!soon.aborted && wantsAnother(record, sinceStartNs())) {
    const groups = drawLaunch(plan);
    plan.launches.push(groups);
    yield [plan.launches.length - 1, groups];
  }
}

/** One launch of a group: start, verify, warm up, measure round by round, stop. */
async function runGroup(launch: number, group: Group, context: RunContext): Promise<void> {
  const { record } = context;
  const broken = new Set(record.failures.map(({ server }) => server));
  const cells = group.cells
    .map((id) => cellOf(record.plan, id))
    .filter((cell) => !broken.has(cell.server));
  if (cells.length === 0 || nothingLeft(record)) return;
  context.onLaunch(launch, group);

  await using ready = await startVerified(
    cells,
    record.plan.topologies,
    context.targets,
    context.launching,
  );
  for (const notReady of ready.notReady) addFailure({ launch, ...notReady }, context);
  if (nothingLeft(record)) return;
  const { servers } = ready;

  for (const key of record.plan.warmupNs > 0 ? [...servers.keys()] : []) {
    const cell = cells.find(({ server }) => server === key);
    for (let time = 0; cell !== undefined && time < WARMUPS; time++) {
      await load('warm-up', cell, launch, servers, context);
    }
  }
  for (const [round, order] of group.rounds.entries()) {
    const due = order.map((cell) => ({ cell, launch, round }));
    // What is thrown away on the way is due again, at the end of the round.
    for (const slice of due) due.push(...(await takeSlice(slice, servers, context)));
    record.wallNs = context.sinceStartNs();
    await context.onRound(record);
    record.firstTableNs ??= sinceFirstSlice(record, context.sinceStartNs());
    if (context.soon.aborted) return;
  }
}

/** Takes a slice into the record. Returns the slices that are thrown away for what it shows. */
async function takeSlice(
  { cell: id, launch, round }: Pick<Slice, 'cell' | 'launch' | 'round'>,
  servers: Map<string, RunningServer>,
  context: RunContext,
): Promise<Slice[]> {
  const startedNs = context.sinceStartNs();
  const cell = cellOf(context.record.plan, id);
  const measurement = await load('slice', cell, launch, servers, context);
  const server = servers.get(cell.server);
  if (measurement === null || server === undefined) return [];
  const handler = await context.readTimer(server);
  const slice = { cell: id, launch, round, startedNs, handler, measurement };
  context.record.slices.push(slice);
  const thrownAway = context.generators.relieve(context.record, slice);
  if (thrownAway.length > 0) context.onGenerators(cell, context.generators.of(cell));
  return thrownAway;
}

/** Every server that is to be compared has failed, so that nothing is left to probe for. */
function nothingLeft({ plan, failures }: RunRecord): boolean {
  const failed = new Set(failures.map(({ server }) => server));
  return plan.cells.every(({ server }) => failed.has(server));
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
  const { plan } = context.record;
  const order =
    purpose === 'slice'
      ? sliceOrder(cell, server, plan, context.harness)
      : warmupOrder(cell, server, plan, context.harness, warmupWindow(plan));
  const count = purpose === 'slice' ? context.generators.of(cell) : 1;
  const generators = await context.pool.take(generatorCores(cell, plan, count));
  const measured = await measure(server, order, generators, context.now);
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
