import type { RunningServer } from '../launch/server.ts';
import { measure } from '../load/measure.ts';
import { generatorCores, pacedOrder, warmupOrder } from '../load/order.ts';
import type { BatchWindow } from '../load/protocol.ts';
import { startWarming } from '../load/warmup-session.ts';
import { type Cell, type PacedWarmup, sampledCellOf } from '../plan/plan.ts';
import type { Watched } from '../system/inspector.ts';
import { arranged } from './arranged.ts';
import type { RunningLaunch } from './context.ts';
import { lose } from './failures.ts';
import { callsOf } from './sampling.ts';
import { withSpare } from './spare.ts';
import { warmUp } from './warm-up.ts';

/** Puts load on a cell's server until it has settled, where one is to, and takes what it did into the record. */
export async function warmUpServer(cell: Cell, running: RunningLaunch): Promise<void> {
  const { launch, record, servers } = running;
  const server = servers.get(cell.server);
  const { warmup: planned } = record.plan;
  if (server === undefined || planned.kind === 'none') return;
  if (planned.kind === 'paced') {
    await withSpare([{ cell }], running, () => pace(server, planned, cell, running));
    return;
  }
  const warmup = await withSpare([{ cell }], running, () => putWarmUpOn(server, cell, running));
  if (warmup !== null) record.warmups.push({ server: cell.server, launch, ...warmup });
}

/** Puts requests on a server at the rate of a planned warm-up; nothing of it is kept. */
async function pace(
  server: RunningServer,
  planned: PacedWarmup,
  cell: Cell,
  running: RunningLaunch,
): Promise<void> {
  const { record, harness, now, backend } = running;
  const pool = await running.pool.take(generatorCores(cell, record.plan, 1));
  const order = pacedOrder(planned, cell, server, record.plan, harness);
  const taken = await measure(server, order, pool, now, backend);
  if (taken.state !== 'measured') lose(taken, 'warm-up', cell, running);
}

/** What a server did until it had settled, or the time was up; null where it was lost on the way. */
async function putWarmUpOn(
  server: RunningServer,
  cell: Cell,
  running: RunningLaunch,
): ReturnType<typeof warmUp> {
  const { plan } = running.record;
  const pool = await running.pool.take(generatorCores(cell, plan, 1));
  const order = warmupOrder(cell, server, plan, running.harness);
  await using warming = await startWarming(server, order, pool, running.now);
  const carryOut = async (window: BatchWindow) => {
    const taken = await warming.take(window);
    if (taken.state === 'measured') return taken.batch;
    lose(taken, 'warm-up', cell, running);
    return null;
  };
  const act = () => warmUp(plan.warmup, carryOut, running.soon);
  const sampled = sampledCellOf(plan, cell);
  if (sampled === null) return await act();
  // Who calls whom is seen best before V8 inlines it.
  const onWatched = ({ sampled: taken }: Watched) => {
    if (taken !== null) callsOf(server, taken, running);
  };
  return await arranged(sampled, server, running, onWatched, act);
}
