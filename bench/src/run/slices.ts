import { type InterleavedResult, measure, measureInterleaving } from '../load/measure.ts';
import { generatorCores, type RunningCell, sliceOrder } from '../load/order.ts';
import { drawBlocks } from '../plan/draw.ts';
import { type Cell, isStandard } from '../plan/plan.ts';
import type { Slice } from '../record/record.ts';
import type { InspectorResult } from '../system/inspector.ts';
import { type RunningLaunch, runningCell, withArrangement } from './context.ts';
import { addLost, retryWithNewGenerators } from './failures.ts';
import { addCollected, addSampled, attributor, callGraphOf } from './profiles.ts';
import { warmUpServer } from './warm-up.ts';

interface TakenSlice extends RunningCell {
  measured: InterleavedResult;
  /** What V8 reported of the server meanwhile. */
  watched?: InspectorResult[];
}

/** Takes and records slices: of several cells interleaved, of one in one go. Returns those to be taken again. */
export async function takeSlices(asked: readonly Cell[], round: number, running: RunningLaunch) {
  const { generators, soon } = running;
  const members = asked.flatMap((cell) => runningCell(cell, running) ?? []);
  const cells = members.map(({ cell }) => cell);
  const [first] = members;
  if (first === undefined || soon.aborted) return [];
  const isAlone = asked.length === 1;
  const { cell, load } = first;
  const beginsIdle = load.kind === 'closed' && load.drainBetweenSlices && isStandard(cell);
  const isInterleaved = isAlone ? beginsIdle : members.length > 1;
  const startedNs = running.sinceStartNs();
  const taken: TakenSlice[] | null =
    isInterleaved && generators.of(cell) === 1
      ? await retryWithNewGenerators(cells, running, () => interleave(members, round, running))
      : members.map((each) => ({ ...each, measured: { state: 'did not drain' } }));
  const due: Slice[] = [];
  for (const each of taken ?? []) {
    const isLeft = each.measured.state === 'did not drain';
    if (isLeft && !isAlone) {
      // It would have warmed up by itself in the interleaving.
      await warmUpServer(each.cell, running);
      due.push(...(await takeSlices([each.cell], round, running)));
      continue;
    }
    const done = isLeft
      ? await retryWithNewGenerators(cells, running, () => takeInOneGo(each, running))
      : each;
    if (done !== null) due.push(...(await keep(done, round, startedNs, running)));
  }
  return due;
}

/** Measures cells of the same load block by block, and a single one in one block. */
async function interleave(members: RunningCell[], round: number, running: RunningLaunch) {
  const closed = members.flatMap((member) => {
    const order = orderOf(member, running);
    return order.kind === 'closed' ? [{ ...member, order }] : [];
  });
  const [first] = closed;
  if (first?.load.kind !== 'closed') throw new Error('only closed loads are interleaved');
  const blocks = drawBlocks(first.plan, running.launch, round, closed.length, first.load);
  const pool = await running.pool.take(generatorCores(first, 1));
  return await measureInterleaving(closed, blocks, pool, running);
}

async function takeInOneGo(on: RunningCell, running: RunningLaunch): Promise<TakenSlice> {
  const { generators, now, backend } = running;
  const watched: InspectorResult[] = [];
  const onWatched = (seen: InspectorResult) => watched.push(seen);
  const measured = await withArrangement(on, running, onWatched, async () => {
    const pool = await running.pool.take(generatorCores(on, generators.of(on.cell)));
    return await measure(on.server, orderOf(on, running), pool, now, backend);
  });
  return { ...on, measured, watched };
}

function orderOf(on: RunningCell, { record, launch }: RunningLaunch) {
  // Of the processes that run now: those of earlier groups have theirs too.
  const idle = record.idle.findLast((each) => {
    return each.server === on.cell.server && each.launch === launch;
  });
  return sliceOrder(on, idle?.nsPerS ?? 0);
}

/** Records what was measured. Returns the slices that have to be taken again, for what it shows. */
async function keep(
  { cell, server, measured, watched = [] }: TakenSlice,
  round: number,
  startedNs: number,
  running: RunningLaunch,
): Promise<Slice[]> {
  const { record, launch, generators } = running;
  if (measured.state === 'stopped' || measured.state === 'did not drain') return [];
  if (measured.state !== 'measured') {
    addLost(measured, 'slice', cell, running);
    return [];
  }
  const { measurement } = measured;
  const at = { cell: cell.id, launch, round };
  for (const { sampled, collections } of watched) {
    addCollected({ ...at, measurement }, collections, record);
    if (sampled === null) continue;
    const graph = callGraphOf(server, sampled);
    const attribute = attributor(server.spec.target.directory);
    addSampled({ ...at, measurement }, sampled, graph, attribute, record);
    await running.onProfile?.(at, sampled);
  }
  const handler = await running.readTimer(server, running.backend.ask, measurement.openedNs);
  const slice = { ...at, startedNs, measurement, handler };
  // Another server of the interleaving may have shown by now that one generator is too few.
  if (measurement.generators !== generators.of(cell)) return [slice];
  record.slices.push(slice);
  const due = generators.relieve(record, slice);
  if (due.length > 0) {
    const limit = `${cell.topology}, ${cell.load}: the generator was the bottleneck`;
    running.say(`${limit}; it has ${generators.of(cell)} processes from now on`);
  }
  return due;
}
