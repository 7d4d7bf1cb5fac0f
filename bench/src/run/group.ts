import { type ReadyServers, startVerified } from '../launch/ready.ts';
import type { RunningServer } from '../launch/server.ts';
import { type Dealt, type Measured, measure, measureDeal } from '../load/measure.ts';
import type { Measurement } from '../load/measurement.ts';
import { generatorCores, sliceOrder, warmupOrder } from '../load/order.ts';
import type { Order, Window } from '../load/protocol.ts';
import { drawLaps } from '../plan/draw.ts';
import { type Cell, cellOf, type Group, loadOf, topologyOf } from '../plan/plan.ts';
import type { Failure, RunRecord, Slice } from '../record/record.ts';
import { arrange } from './arrange.ts';
import type { RunContext } from './context.ts';
import { brokenIn, type Step, stepsAfter, stepsOf } from './steps.ts';
import { warmUp } from './warm-up.ts';

/** One launch of a group: its steps, from the start of its servers to their stop. */
export async function runGroup(launch: number, group: Group, context: RunContext): Promise<void> {
  const { record, soon } = context;
  const steps = stepsOf(record.plan, group, brokenIn(record.failures));
  if (steps.length === 0 || nothingLeft(record)) return;
  context.onLaunch(launch, steps, stepsAfter(record, launch, group));
  await using stack = new AsyncDisposableStack();
  let servers = new Map<string, RunningServer>();
  // What is thrown away on the way is due again, at the end of the round.
  const due: Slice[] = [];
  for (const step of steps) {
    if (soon.aborted && step.kind !== 'stop') continue;
    context.onStep(step);
    switch (step.kind) {
      case 'start': {
        const ready = stack.use(await startServers(step.servers, group, launch, context));
        if (nothingLeft(record)) return;
        servers = ready.servers;
        break;
      }
      case 'warm-up':
        await warmUpServer(cellOf(record.plan, step.cell), launch, servers, context);
        break;
      case 'slice':
        due.push(...(await takeSlice({ ...step, launch }, servers, context)));
        break;
      case 'deal':
        due.push(...(await takeDeal(step, launch, servers, context)));
        break;
      case 'end of round':
        for (const slice of due) due.push(...(await takeSlice(slice, servers, context)));
        due.length = 0;
        record.wallNs = context.sinceStartNs();
        await context.onRound(record);
        record.firstTableNs ??= sinceFirstSlice(record, context.sinceStartNs());
        break;
      case 'stop':
        await stack.disposeAsync();
    }
  }
}

async function startServers(
  refs: Extract<Step, { kind: 'start' }>['servers'],
  { unverified }: Group,
  launch: number,
  { record, targets, launching, ...context }: RunContext,
): Promise<ReadyServers> {
  const { topologies } = record.plan;
  const ready = await startVerified(refs, topologies, targets, launching, new Set(unverified));
  for (const notReady of ready.notReady) {
    addFailure({ launch, ...notReady }, { record, ...context });
  }
  return ready;
}

async function warmUpServer(
  cell: Cell,
  launch: number,
  servers: Map<string, RunningServer>,
  context: RunContext,
): Promise<void> {
  const { plan } = context.record;
  const { soon, harness } = context;
  const carryOut = async (window: Window) => {
    const makeOrder = (server: RunningServer) => warmupOrder(cell, server, plan, harness, window);
    return await load('warm-up', cell, makeOrder, 1, launch, servers, context);
  };
  const warmup = await warmUp(plan.warmup, carryOut, soon);
  // A server that keeps time counts from one telling to the next.
  const server = servers.get(cell.server);
  if (server !== undefined) await context.readTimer(server);
  if (warmup !== null) context.record.warmups.push({ server: cell.server, launch, ...warmup });
}

/** Takes a slice into the record. Returns the slices that are thrown away for what it shows. */
async function takeSlice(
  { cell: id, launch, round }: Pick<Slice, 'cell' | 'launch' | 'round'>,
  servers: Map<string, RunningServer>,
  context: RunContext,
): Promise<Slice[]> {
  const { record, generators, harness, soon } = context;
  const server = servers.get(cellOf(record.plan, id).server);
  if (server === undefined || soon.aborted) return [];
  const startedNs = context.sinceStartNs();
  const cell = cellOf(record.plan, id);
  const count = generators.of(cell);
  const measurement = await arranged(cell, server, servers, context, () => {
    const makeOrder = () => sliceOrder(cell, server, record.plan, harness);
    return load('slice', cell, makeOrder, count, launch, servers, context);
  });
  if (measurement === null) return [];
  return await keep({ cell: id, launch, round, startedNs, measurement }, server, context);
}

/** As `takeSlice`, for several cells whose slices are dealt in pieces. */
async function takeDeal(
  { cells: ids, round }: Extract<Step, { kind: 'deal' }>,
  launch: number,
  servers: Map<string, RunningServer>,
  context: RunContext,
): Promise<Slice[]> {
  const { plan } = context.record;
  const dealt = ids.flatMap((id): (Dealt & { cell: Cell })[] => {
    const cell = cellOf(plan, id);
    const server = servers.get(cell.server);
    if (server === undefined) return [];
    const order = sliceOrder(cell, server, plan, context.harness);
    return order.kind === 'closed' ? [{ cell, server, order }] : [];
  });
  const [first] = dealt;
  if (first === undefined || context.soon.aborted) return [];
  const { cell } = first;
  const load = loadOf(plan, cell.load);
  if (dealt.length === 1 || context.generators.of(cell) > 1) {
    // Only one generator can deal.
    const thrownAway: Slice[] = [];
    for (const { cell: { id } } of dealt) {
      thrownAway.push(...(await takeSlice({ cell: id, launch, round }, servers, context)));
    }
    return thrownAway;
  }
  const pieces = load.kind === 'closed' ? load.pieces : 1;
  const laps = drawLaps(plan, { launch, round }, dealt.length, pieces);
  const startedNs = context.sinceStartNs();
  const [generator] = await context.pool.take(generatorCores(cell, plan, 1));
  if (generator === undefined) throw new Error('a pool without a generator');
  const measured = await measureDeal(dealt, laps, generator, context.now);
  const thrownAway: Slice[] = [];
  for (const [index, { cell, server }] of dealt.entries()) {
    const measurement = measurementOf(measured[index], 'slice', cell, launch, servers, context);
    if (measurement === null) continue;
    const slice = { cell: cell.id, launch, round, startedNs, measurement };
    thrownAway.push(...(await keep(slice, server, context)));
  }
  return thrownAway;
}

/** Takes what was measured into the record. Returns the slices that are thrown away for what it shows. */
async function keep(
  untimed: Omit<Slice, 'handler'>,
  server: RunningServer,
  context: RunContext,
): Promise<Slice[]> {
  const { record, generators } = context;
  const slice = { ...untimed, handler: await context.readTimer(server) };
  const cell = cellOf(record.plan, slice.cell);
  record.slices.push(slice);
  const thrownAway = generators.relieve(record, slice);
  if (thrownAway.length > 0) context.onGenerators(cell, generators.of(cell));
  return thrownAway;
}

/** Acts while everything is as the cell's arrangement has it. */
async function arranged<T>(
  { arrangement, topology }: Cell,
  server: RunningServer,
  servers: Map<string, RunningServer>,
  { record: { plan, machine } }: RunContext,
  act: () => Promise<T>,
): Promise<T> {
  const all = [...servers.values()].flatMap(({ pids }) => pids);
  await using _arrangement = await arrange(arrangement, {
    pids: server.pids,
    others: all.filter((pid) => !server.pids.includes(pid)),
    cores: { own: topologyOf(plan, topology).cores ?? machine.cores, all: machine.cores },
  });
  return await act();
}

/** Every server that is to be compared has failed, so that nothing is left to probe for. */
function nothingLeft({ plan, failures }: RunRecord): boolean {
  const broken = brokenIn(failures);
  return plan.cells.every(({ server }) => broken.has(server));
}

/**
 * Puts load on a cell's server. Returns nothing where the server is lost; one that is lost now is
 * taken out of `servers` and put down as a failure.
 */
async function load(
  when: 'warm-up' | 'slice',
  cell: Cell,
  makeOrder: (server: RunningServer) => Order,
  generators: number,
  launch: number,
  servers: Map<string, RunningServer>,
  context: RunContext,
): Promise<Measurement | null> {
  const server = servers.get(cell.server);
  if (server === undefined) return null;
  const pool = await context.pool.take(generatorCores(cell, context.record.plan, generators));
  const measured = await measure(server, makeOrder(server), pool, context.now);
  return measurementOf(measured, when, cell, launch, servers, context);
}

/** What was measured of a cell's server, if anything was; else the server is lost. */
function measurementOf(
  measured: Measured | undefined,
  when: 'warm-up' | 'slice',
  cell: Cell,
  launch: number,
  servers: Map<string, RunningServer>,
  context: RunContext,
): Measurement | null {
  if (measured === undefined) return null;
  if (measured.state === 'measured') return measured.measurement;
  servers.delete(cell.server);
  addFailure({ server: cell.server, launch, when, ...measured.failure }, context);
  return null;
}

function sinceFirstSlice({ slices: [first] }: RunRecord, nowNs: number): number | null {
  return first ? nowNs - first.startedNs - first.measurement.windowNs : null;
}

function addFailure(
  failure: Failure,
  { record, onFailure }: Pick<RunContext, 'record' | 'onFailure'>,
) {
  record.failures.push(failure);
  onFailure(failure);
}
