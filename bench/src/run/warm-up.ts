import type { Batch, BatchWindow } from '../load/protocol.ts';
import type { Plan } from '../plan/plan.ts';
import type { Warmup, WarmupBatch } from '../record/record.ts';
import { hasSettled, nextBatch } from './settling.ts';

/** The least time that a batch is worth, ns. */
const SHORTEST_NS = 2e7;
/** After so many batches the connections are opened anew: V8 throws away what it had compiled for those that never close. */
const REOPENED_AFTER = 2;

/** A load that a server is warmed up with. */
export interface WarmingLoad {
  /** Null where the server was lost. */
  take(window: BatchWindow): Promise<Batch | null>;
  /** Closes its connections, and opens others. */
  reopen(): Promise<void>;
}

/**
 * Puts load on a server, batch by batch, until it has settled or the time is up. Null where nothing is
 * warmed up, or the server was lost on the way.
 */
export async function warmUp(
  plan: Plan['warmup'],
  load: WarmingLoad,
  soon: AbortSignal,
): Promise<Pick<Warmup, 'batches' | 'ns' | 'outcome'> | null> {
  if (plan.kind === 'none') return null;
  const capNs = plan.kind === 'timed' ? plan.ns : plan.capNs;
  const batches: WarmupBatch[] = [];
  let ns = 0;
  while (!soon.aborted) {
    if (hasSettled(batches)) return { batches, ns, outcome: 'settled' };
    if (capNs - ns < SHORTEST_NS) return { batches, ns, outcome: 'capped' };
    if (batches.length === REOPENED_AFTER) await load.reopen();
    const window = nextBatch(batches, capNs - ns);
    const batch = await load.take(window);
    if (batch === null) return null;
    batches.push({ asked: window.answers, ...batch });
    ns += batch.ns;
  }
  return null;
}
