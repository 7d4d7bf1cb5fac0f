import type { Measurement } from '../load/measurement.ts';
import type { Window } from '../load/protocol.ts';
import type { Plan } from '../plan/plan.ts';
import type { Batch, Warmup } from '../record/record.ts';
import { hasSettled, nextBatch } from './settling.ts';

/** The least time that a batch is worth, ns. */
const SHORTEST_NS = 2e7;

/**
 * Puts load on a server, batch by batch, until it has settled or the time is up. Null where nothing is
 * warmed up, or the server was lost on the way.
 */
export async function warmUp(
  plan: Plan['warmup'],
  carryOut: (window: Window) => Promise<Measurement | null>,
  soon: AbortSignal,
): Promise<Pick<Warmup, 'batches' | 'ns' | 'outcome'> | null> {
  if (plan.kind === 'none') return null;
  const capNs = plan.kind === 'timed' ? plan.ns : plan.capNs;
  const batches: Batch[] = [];
  let ns = 0;
  while (!soon.aborted) {
    if (hasSettled(batches)) return { batches, ns, outcome: 'settled' };
    if (capNs - ns < SHORTEST_NS) return { batches, ns, outcome: 'capped' };
    const window = nextBatch(batches, capNs - ns);
    const measurement = await carryOut(window);
    if (measurement === null) return null;
    batches.push(batchOf(window, measurement));
    ns += measurement.windowNs;
  }
  return null;
}

function batchOf(
  { answers: asked }: Window,
  { window, windowNs, cpu, memory }: Measurement,
): Batch {
  const answers = window.ok + window.wrongStatus + window.wrongBody;
  return { asked, answers, ns: windowNs, cpuNs: cpu.server.cpuNs, bytes: memory.server };
}
