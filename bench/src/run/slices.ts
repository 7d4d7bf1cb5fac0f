import type { RunningServer } from '../launch/server.ts';
import { type Dealt, measureDeal } from '../load/measure.ts';
import type { Measurement } from '../load/measurement.ts';
import { generatorCores, sliceOrder } from '../load/order.ts';
import { drawLaps } from '../plan/draw.ts';
import { type Cell, cellOf, isStandard, loadOf, type Plan, piecesOf } from '../plan/plan.ts';
import type { Slice } from '../record/record.ts';
import type { Watched } from '../system/inspector.ts';
import { arranged } from './arranged.ts';
import type { RunContext } from './context.ts';
import { addCollected, addSampled } from './sampling.ts';
import { load, measurementOf } from './under-load.ts';

/** What is to be measured when; in a rehearsal, which is not counted, there is no round. */
type Due = Pick<Slice, 'cell' | 'launch'> & { round: Slice['round'] | null };

/** Where a round has a number: the laps of a rehearsal are drawn as those of the round before the first. */
const REHEARSAL = -1;

/** Takes a slice into the record. Returns the slices that are thrown away for what it shows. */
export async function takeSlice(
  { cell: id, launch, round }: Due,
  servers: Map<string, RunningServer>,
  context: RunContext,
): Promise<Slice[]> {
  const { record, generators, harness, soon } = context;
  const server = servers.get(cellOf(record.plan, id).server);
  if (server === undefined || soon.aborted) return [];
  const startedNs = context.sinceStartNs();
  const cell = cellOf(record.plan, id);
  const count = generators.of(cell);
  const whole =
    count === 1 && beginsIdle(record.plan, cell)
      ? await takeWhole(cell, launch, servers, context)
      : 'restless';
  const seen: Watched[] = [];
  const onWatched = (watched: Watched) => seen.push(watched);
  const takeAsItIs = () => {
    return arranged(cell, server, servers, context, onWatched, () => {
      const makeOrder = () => sliceOrder(cell, server, record.plan, harness);
      return load(cell, makeOrder, count, launch, servers, context);
    });
  };
  const measurement = whole === 'restless' ? await takeAsItIs() : whole;
  if (measurement === null) return [];
  if (round !== null) {
    const slice = { cell: id, launch, round, startedNs, measurement };
    for (const { sampled, collections } of seen) {
      addCollected(slice, collections, record);
      if (sampled === null) continue;
      addSampled(slice, sampled, server, context);
      await context.onProfile(slice, sampled);
    }
  }
  return await keep({ cell: id, launch, round, startedNs, measurement }, server, context);
}

/** Whether the slices of a cell begin and end with an idle server. */
function beginsIdle(plan: Plan, cell: Cell): boolean {
  const load = loadOf(plan, cell.load);
  return load.kind === 'closed' && load.fromIdle && isStandard(cell);
}

/**
 * A slice from an idle server to an idle server: a deal of one piece with nobody else. Null where the
 * server is lost or the run is to end; `restless` where the server does not become idle.
 */
async function takeWhole(
  cell: Cell,
  launch: number,
  servers: Map<string, RunningServer>,
  context: RunContext,
): Promise<Measurement | null | 'restless'> {
  const { plan } = context.record;
  const [hand] = dealtOf(cell, servers, context);
  if (hand === undefined) return null;
  const pool = await context.pool.take(generatorCores(cell, plan, 1));
  const [dealt] = await measureDeal([hand], [[0]], pool, context);
  if (dealt === undefined || dealt.measured.state === 'stopped') return null;
  if (dealt.measured.state === 'restless') return 'restless';
  return measurementOf(dealt.measured, cell, launch, servers, context);
}

/**
 * As `takeSlice`, for several cells of one load on the same cores, whose slices are dealt in pieces. A single
 * one is not, nor are any where several generators are needed: only one can deal.
 */
export async function takeDeal(
  { cells, launch, round }: Pick<Due, 'launch' | 'round'> & { cells: string[] },
  servers: Map<string, RunningServer>,
  context: RunContext,
): Promise<Slice[]> {
  const { record, generators, soon } = context;
  const { plan } = record;
  const dealt = cells.flatMap((id) => dealtOf(cellOf(plan, id), servers, context));
  const [first] = dealt;
  if (first === undefined || soon.aborted) return [];
  const takeAlone = async ({ cell }: Pick<Hand, 'cell'>) => {
    return await takeSlice({ cell: cell.id, launch, round }, servers, context);
  };
  const thrownAway: Slice[] = [];
  if (dealt.length === 1 || generators.of(first.cell) > 1) {
    for (const alone of dealt) thrownAway.push(...(await takeAlone(alone)));
    return thrownAway;
  }

  const startedNs = context.sinceStartNs();
  const laps = drawLaps(plan, launch, round ?? REHEARSAL, dealt.length, piecesOf(plan, first.cell));
  const pool = await context.pool.take(generatorCores(first.cell, plan, 1));
  const measured = await measureDeal(dealt, laps, pool, context);
  for (const { cell, server, measured: each } of measured) {
    if (each.state === 'stopped') continue;
    if (each.state === 'restless') {
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

interface Hand extends Dealt {
  cell: Cell;
}

/** What a deal needs of a cell; nothing where its server is lost. */
function dealtOf(cell: Cell, servers: Map<string, RunningServer>, context: RunContext): Hand[] {
  const server = servers.get(cell.server);
  if (server === undefined) return [];
  const order = sliceOrder(cell, server, context.record.plan, context.harness);
  return order.kind === 'closed' ? [{ cell, server, order }] : [];
}

/**
 * Takes what was measured into the record, unless it is a rehearsal. Returns the slices that are thrown away for what
 * it shows.
 */
async function keep(
  { round, ...taken }: Due & Pick<Slice, 'startedNs' | 'measurement'>,
  server: RunningServer,
  context: RunContext,
): Promise<Slice[]> {
  const { record, generators } = context;
  const handler = await context.readTimer(server, context.backend.ask);
  if (round === null) return [];
  const slice = { ...taken, round, handler };
  const cell = cellOf(record.plan, slice.cell);
  // Others of the same deal may have shown by now that one generator is too few.
  if (slice.measurement.generators !== generators.of(cell)) return [slice];
  record.slices.push(slice);
  const thrownAway = generators.relieve(record, slice);
  if (thrownAway.length > 0) context.onGenerators(cell, generators.of(cell));
  return thrownAway;
}
