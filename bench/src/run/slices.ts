import type { RunningServer } from '../launch/server.ts';
import { type Interleaved, measureInterleaving } from '../load/measure.ts';
import type { Measurement } from '../load/measurement.ts';
import { generatorCores, sliceOrder } from '../load/order.ts';
import type { Order } from '../load/protocol.ts';
import { drawBlocks, NO_LEAD_IN } from '../plan/draw.ts';
import { blocksOf, type Cell, cellOf, isStandard, loadOf, type Plan } from '../plan/plan.ts';
import type { IdleUse, Slice } from '../record/record.ts';
import type { Watched } from '../system/inspector.ts';
import { arranged } from './arranged.ts';
import type { RunContext } from './context.ts';
import { addCollected, addSampled } from './sampling.ts';
import { load, measurementOf } from './under-load.ts';
import { warmUpServer } from './warm-up-server.ts';

/** What is to be measured when. */
type Due = Pick<Slice, 'cell' | 'launch' | 'round'>;

/** Takes a slice into the record. Returns the slices that are thrown away for what it shows. */
export async function takeSlice(
  { cell: id, launch, round }: Due,
  servers: Map<string, RunningServer>,
  context: RunContext,
): Promise<Slice[]> {
  const { record, generators, soon } = context;
  const server = servers.get(cellOf(record.plan, id).server);
  if (server === undefined || soon.aborted) return [];
  const startedNs = context.sinceStartNs();
  const cell = cellOf(record.plan, id);
  const count = generators.of(cell);
  const whole =
    count === 1 && beginsIdle(record.plan, cell)
      ? await takeWhole(cell, launch, servers, context)
      : 'did not drain';
  const seen: Watched[] = [];
  const onWatched = (watched: Watched) => seen.push(watched);
  const takeAsItIs = () => {
    return arranged(cell, server, servers, context, onWatched, () => {
      const makeOrder = () => orderOf(cell, server, launch, context);
      return load(cell, makeOrder, count, launch, servers, context);
    });
  };
  const measurement = whole === 'did not drain' ? await takeAsItIs() : whole;
  if (measurement === null) return [];
  const slice = { cell: id, launch, round, startedNs, measurement };
  for (const { sampled, collections } of seen) {
    addCollected(slice, collections, record);
    if (sampled === null) continue;
    addSampled(slice, sampled, server, context);
    await context.onProfile(slice, sampled);
  }
  return await keep(slice, server, context);
}

/** Whether the slices of a cell begin and end with an idle server. */
function beginsIdle(plan: Plan, cell: Cell): boolean {
  const load = loadOf(plan, cell.load);
  return load.kind === 'closed' && load.drainBetweenSlices && isStandard(cell);
}

/**
 * A slice from an idle server to an idle server: an interleaving of nobody else, in one block. Null where the
 * server is lost or the run is to end.
 */
async function takeWhole(
  cell: Cell,
  launch: number,
  servers: Map<string, RunningServer>,
  context: RunContext,
): Promise<Measurement | null | 'did not drain'> {
  const { plan } = context.record;
  const [member] = memberOf(cell, launch, servers, context);
  if (member === undefined) return null;
  const pool = await context.pool.take(generatorCores(cell, plan, 1));
  const inOneBlock = { blocks: [[0]], leadIn: NO_LEAD_IN };
  const [taken] = await measureInterleaving([member], inOneBlock, pool, context);
  if (taken === undefined || taken.measured.state === 'stopped') return null;
  if (taken.measured.state === 'did not drain') return 'did not drain';
  return measurementOf(taken.measured, cell, launch, servers, context);
}

/**
 * As `takeSlice`, for several cells of one load on the same cores, which are interleaved. A single one is not, nor
 * are any where several generators are needed: only one can interleave.
 */
export async function takeInterleaving(
  { cells, launch, round }: Pick<Due, 'launch' | 'round'> & { cells: string[] },
  servers: Map<string, RunningServer>,
  context: RunContext,
): Promise<Slice[]> {
  const { record, generators, soon } = context;
  const { plan } = record;
  const members = cells.flatMap((id) => memberOf(cellOf(plan, id), launch, servers, context));
  const [first] = members;
  if (first === undefined || soon.aborted) return [];
  const takeAlone = async ({ cell }: Pick<Member, 'cell'>) => {
    // It would have warmed up by itself among the others.
    if (plan.warmup.kind !== 'none') await warmUpServer(cell, launch, servers, context);
    return await takeSlice({ cell: cell.id, launch, round }, servers, context);
  };
  const thrownAway: Slice[] = [];
  if (members.length === 1 || generators.of(first.cell) > 1) {
    for (const alone of members) thrownAway.push(...(await takeAlone(alone)));
    return thrownAway;
  }

  const startedNs = context.sinceStartNs();
  const { sliceNs, saturates } = loadOf(plan, first.cell.load);
  const timing = { sliceNs, saturates, blocks: blocksOf(plan, first.cell) };
  const blocks = drawBlocks(plan, launch, round, members.length, timing);
  const pool = await context.pool.take(generatorCores(first.cell, plan, 1));
  const measured = await measureInterleaving(members, blocks, pool, context);
  for (const { cell, server, measured: each } of measured) {
    if (each.state === 'stopped') continue;
    if (each.state === 'did not drain') {
      thrownAway.push(...(await takeAlone({ cell })));
      continue;
    }
    const measurement = measurementOf(each, cell, launch, servers, context);
    if (measurement === null) continue;
    const taken = { cell: cell.id, launch, round, startedNs, measurement };
    thrownAway.push(...(await keep(taken, server, context)));
  }
  return thrownAway;
}

interface Member extends Interleaved {
  cell: Cell;
}

/** What an interleaving needs of a cell; nothing where its server is lost. */
function memberOf(
  cell: Cell,
  launch: number,
  servers: Map<string, RunningServer>,
  context: RunContext,
): Member[] {
  const server = servers.get(cell.server);
  if (server === undefined) return [];
  const order = orderOf(cell, server, launch, context);
  return order.kind === 'closed' ? [{ cell, server, order }] : [];
}

function orderOf(
  cell: Cell,
  server: RunningServer,
  launch: number,
  { record, harness }: RunContext,
): Order {
  const isOf = (each: IdleUse) => each.server === cell.server && each.launch === launch;
  const idleNsPerS = record.idle.find(isOf)?.nsPerS ?? 0;
  return sliceOrder(cell, server, record.plan, harness, idleNsPerS);
}

/** Takes what was measured into the record. Returns the slices that are thrown away for what it shows. */
async function keep(
  taken: Due & Pick<Slice, 'startedNs' | 'measurement'>,
  server: RunningServer,
  context: RunContext,
): Promise<Slice[]> {
  const { record, generators } = context;
  const { openedNs } = taken.measurement;
  const handler = await context.readTimer(server, context.backend.ask, openedNs);
  const slice = { ...taken, handler };
  const cell = cellOf(record.plan, slice.cell);
  // Others of the same interleaving may have shown by now that one generator is too few.
  if (slice.measurement.generators !== generators.of(cell)) return [slice];
  record.slices.push(slice);
  const thrownAway = generators.relieve(record, slice);
  if (thrownAway.length > 0) context.onGenerators(cell, generators.of(cell));
  return thrownAway;
}
