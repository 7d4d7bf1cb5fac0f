import type { Batch, BatchWindow } from '../load/protocol.ts';
import type { Plan } from '../plan/plan.ts';
import type { Warmup, WarmupBatch } from '../record/record.ts';
import { hasSettled, nextBatch } from './settling.ts';

/** The least time that a batch is worth, ns. */
const SHORTEST_NS = 2e7;

/**
 * Puts load on a server, batch by batch, until it has settled or the time is up. Null where nothing is
 * warmed up, or the server was lost on the way.
 */
export async function warmUp(
  plan: Plan['warmup'],
  carryOut: (window: BatchWindow) => Promise<Batch | null>,
  soon: AbortSignal,
): Promise<Pick<Warmup, 'batches' | 'ns' | 'outcome'> | null> {
  if (plan.kind === 'none') return null;
  const capNs = plan.kind === 'settled' ? plan.capNs : plan.ns;
  const batches: WarmupBatch[] = [];
  let ns = 0;
  while (!soon.aborted) {
    if (hasSettled(batches)) return { batches, ns, outcome: 'settled' };
    if (capNs - ns < SHORTEST_NS) return { batches, ns, outcome: 'capped' };
    const window = nextBatch(batches, capNs - ns);
    const batch = await carryOut(window);
    if (batch === null) return null;
    batches.push({ asked: window.answers, ...batch });
    ns += batch.ns;
  }
  return null;
}
