import type { RunningServer } from '../launch/server.ts';
import { generatorCores, warmupOrder } from '../load/order.ts';
import type { BatchWindow } from '../load/protocol.ts';
import { startWarming } from '../load/warmup-session.ts';
import { type Cell, sampledCellOf } from '../plan/plan.ts';
import type { Watched } from '../system/inspector.ts';
import { arranged } from './arranged.ts';
import type { RunContext } from './context.ts';
import { callsOf } from './sampling.ts';
import { lose } from './under-load.ts';
import { warmUp } from './warm-up.ts';

/** Puts load on a cell's server until it has settled, and takes what it did into the record. */
export async function warmUpServer(
  cell: Cell,
  launch: number,
  servers: Map<string, RunningServer>,
  context: RunContext,
): Promise<void> {
  const server = servers.get(cell.server);
  if (server === undefined) return;
  const warmup = await putWarmUpOn(server, cell, launch, servers, context);
  if (warmup !== null) context.record.warmups.push({ server: cell.server, launch, ...warmup });
}

/** What a server did until it had settled, or the time was up; null where it was lost on the way. */
async function putWarmUpOn(
  server: RunningServer,
  cell: Cell,
  launch: number,
  servers: Map<string, RunningServer>,
  context: RunContext,
): ReturnType<typeof warmUp> {
  const { plan } = context.record;
  const pool = await context.pool.take(generatorCores(cell, plan, 1));
  const order = warmupOrder(cell, server, plan, context.harness);
  await using warming = await startWarming(server, order, pool, context.now);
  const carryOut = async (window: BatchWindow) => {
    const taken = await warming.take(window);
    if (taken.state === 'measured') return taken.batch;
    lose(taken, 'warm-up', cell, launch, servers, context);
    return null;
  };
  const act = () => warmUp(plan.warmup, carryOut, context.soon);
  const sampled = sampledCellOf(plan, cell);
  if (sampled === null) return await act();
  // Who calls whom is seen best before V8 inlines it.
  const onWatched = ({ sampled: taken }: Watched) => {
    if (taken !== null) callsOf(server, taken, context);
  };
  return await arranged(sampled, server, servers, context, onWatched, act);
}
