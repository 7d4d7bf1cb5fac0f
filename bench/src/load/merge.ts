import * as hdr from 'hdr-histogram-js';
import { plus } from '../math/counters.ts';
import type { Measurement } from './measurement.ts';
import type { Outcome } from './protocol.ts';

/**
 * What two generators came to with one order, as one outcome. Where one could not go on, that is it;
 * `stopped` is only what it did to the other.
 */
export function mergeOutcomes(a: Outcome, b: Outcome): Outcome {
  if (a.kind === 'measured' && b.kind === 'measured') {
    return { kind: 'measured', measurement: mergeMeasurements(a.measurement, b.measurement) };
  }
  return b.kind === 'measured' || (b.kind === 'stopped' && a.kind !== 'measured') ? a : b;
}

/**
 * What two generators saw of one slice, as one measurement. What became of requests adds up; so do CPU
 * time and memory, since only the first reads those of the server, the manager and the harness. The
 * window and the system are the first's, delays and caps the worst, and the turns those of the busier
 * generator, which decides whether the generators were the limit.
 */
export function mergeMeasurements(a: Measurement, b: Measurement): Measurement {
  const sum = plus(a, b, addHistograms);
  return {
    ...sum,
    openedNs: a.openedNs,
    windowNs: a.windowNs,
    leadIn: a.leadIn,
    disturbed: a.disturbed,
    isQuiet: a.isQuiet,
    mainThread: a.mainThread,
    system: a.system,
    throttling: a.throttling,
    roundTrip: a.roundTrip,
    halfway: a.halfway && sum.halfway && { ...sum.halfway, ns: a.halfway.ns },
    blocks: sum.blocks.map((block, place) => ({ ...block, ns: a.blocks[place]?.ns ?? block.ns })),
    warmupNs: Math.max(a.warmupNs, b.warmupNs),
    warmupCapped: a.warmupCapped || b.warmupCapped,
    drainNs: Math.max(a.drainNs, b.drainNs),
    drainCapped: a.drainCapped || b.drainCapped,
    turns: b.turns.idleNs < a.turns.idleNs ? b.turns : a.turns,
  };
}

function addHistograms(a: string, b: string): string {
  const sum = hdr.decodeFromCompressedBase64(a);
  sum.add(hdr.decodeFromCompressedBase64(b));
  return hdr.encodeIntoCompressedBase64(sum);
}
