import type { RunningServer } from '../launch/server.ts';
import { type InterleavedMeasured, measure, measureInterleaving } from '../load/measure.ts';
import { generatorCores, sliceOrder } from '../load/order.ts';
import type { Order } from '../load/protocol.ts';
import { drawBlocks, NO_LEAD_IN } from '../plan/draw.ts';
import { blocksOf, type Cell, cellOf, isStandard, loadOf, type Plan } from '../plan/plan.ts';
import type { Slice } from '../record/record.ts';
import type { Watched } from '../system/inspector.ts';
import { arranged } from './arranged.ts';
import type { RunningLaunch } from './context.ts';
import { lose } from './failures.ts';
import { addCollected, addSampled } from './sampling.ts';
import { withSpare } from './spare.ts';
import type { SliceStep } from './steps.ts';
import { warmUpServer } from './warm-up-server.ts';

/** A cell whose server is up. */
interface Member {
  cell: Cell;
  server: RunningServer;
}

interface Taken extends Member {
  measured: InterleavedMeasured;
  /** What was seen in the server meanwhile. */
  watched: Watched[];
}

/**
 * Takes the slices of these cells into the record: those of several block by block, that of one in one go, unless it
 * begins with an idle server. Only a single generator can interleave. Returns the slices that are thrown away for
 * what was seen.
 */
export async function takeSlices(
  { cells, round }: SliceStep,
  running: RunningLaunch,
): Promise<Slice[]> {
  const { plan } = running.record;
  const members = cells.flatMap((id): Member[] => {
    const cell = cellOf(plan, id);
    const server = running.servers.get(cell.server);
    return server === undefined ? [] : [{ cell, server }];
  });
  const [first] = members;
  if (first === undefined || running.soon.aborted) return [];
  const isAlone = cells.length === 1;
  const wantsBlocks = isAlone ? beginsIdle(plan, first.cell) : members.length > 1;
  const startedNs = running.sinceStartNs();
  const taken =
    wantsBlocks && running.generators.of(first.cell) === 1
      ? await withSpare(members, running, () => interleave(members, first.cell, round, running))
      : members.map((each) => ({ ...each, measured: { state: 'did not drain' } as const }));
  if (taken === null) return [];
  const thrownAway: Slice[] = [];
  for (const each of taken) {
    if (each.measured.state !== 'did not drain') {
      thrownAway.push(...(await keep({ ...each, watched: [] }, round, startedNs, running)));
    } else if (isAlone) {
      const inOneGo = await withSpare([each], running, () => takeInOneGo(each, running));
      if (inOneGo !== null) thrownAway.push(...(await keep(inOneGo, round, startedNs, running)));
    } else {
      // It would have warmed up by itself among the others.
      await warmUpServer(each.cell, running);
      thrownAway.push(...(await takeSlices({ cells: [each.cell.id], round }, running)));
    }
  }
  return thrownAway;
}

/** Whether the slices of a cell begin and end with an idle server. */
function beginsIdle(plan: Plan, cell: Cell): boolean {
  const load = loadOf(plan, cell.load);
  return load.kind === 'closed' && load.drainBetweenSlices && isStandard(cell);
}

/** All of them block by block; a single one in one block. */
async function interleave(
  those: Member[],
  first: Cell,
  round: number,
  running: RunningLaunch,
): Promise<(Member & Pick<Taken, 'measured'>)[]> {
  const { plan } = running.record;
  const members = those.flatMap((member) => {
    const order = orderOf(member, running);
    return order.kind === 'closed' ? [{ ...member, order }] : [];
  });
  const { sliceNs, saturates } = loadOf(plan, first.load);
  const timing = { sliceNs, saturates, blocks: blocksOf(plan, first) };
  const blocks =
    members.length === 1
      ? { blocks: [[0]], leadIn: NO_LEAD_IN }
      : drawBlocks(plan, running.launch, round, members.length, timing);
  const pool = await running.pool.take(generatorCores(first, plan, 1));
  return await measureInterleaving(members, blocks, pool, running);
}

async function takeInOneGo({ cell, server }: Member, running: RunningLaunch): Promise<Taken> {
  const { record, generators, now, backend } = running;
  const watched: Watched[] = [];
  const onWatched = (seen: Watched) => watched.push(seen);
  const measured = await arranged(cell, server, running, onWatched, async () => {
    const cores = generatorCores(cell, record.plan, generators.of(cell));
    const pool = await running.pool.take(cores);
    return await measure(server, orderOf({ cell, server }, running), pool, now, backend);
  });
  return { cell, server, measured, watched };
}

function orderOf({ cell, server }: Member, { record, harness, launch }: RunningLaunch): Order {
  const idle = record.idle.find((each) => each.server === cell.server && each.launch === launch);
  return sliceOrder(cell, server, record.plan, harness, idle?.nsPerS ?? 0);
}

/** Takes what was measured into the record. Returns the slices that are thrown away for what it shows. */
async function keep(
  { cell, server, measured, watched }: Taken,
  round: number,
  startedNs: number,
  running: RunningLaunch,
): Promise<Slice[]> {
  const { record, launch, generators } = running;
  if (measured.state === 'stopped' || measured.state === 'did not drain') return [];
  if (measured.state !== 'measured') {
    lose(measured, 'slice', cell, running);
    return [];
  }
  const { measurement } = measured;
  const at = { cell: cell.id, launch, round };
  for (const { sampled, collections } of watched) {
    addCollected({ ...at, measurement }, collections, record);
    if (sampled === null) continue;
    addSampled({ ...at, measurement }, sampled, server, running);
    await running.onProfile(at, sampled);
  }
  const handler = await running.readTimer(server, running.backend.ask, measurement.openedNs);
  const slice = { ...at, startedNs, measurement, handler };
  // Others of the same interleaving may have shown by now that one generator is too few.
  if (measurement.generators !== generators.of(cell)) return [slice];
  record.slices.push(slice);
  const thrownAway = generators.relieve(record, slice);
  if (thrownAway.length > 0) running.onGenerators(cell, generators.of(cell));
  return thrownAway;
}
