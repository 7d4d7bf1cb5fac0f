import { now, until } from './clock.ts';
import { drain } from './drain.ts';
import { readEdge, readMemoryOf, usedBetween } from './edge.ts';
import { encode } from './histogram.ts';
import type { Job } from './job.ts';
import { Pacer } from './pacer.ts';
import type { Order, Outcome } from './protocol.ts';

/** How long requests leave before the window can open: so long are connections still being made, ns. */
const RAMP_NS = 5e8;

/** Carries out an order that sends requests at a rate. */
export async function openLoop(
  order: Order & { ratePerS: number },
  { stopped, ready }: Job,
): Promise<Outcome> {
  const refused = new AbortController();
  const over = AbortSignal.any([stopped, refused.signal]);
  const ending = (): Outcome => ({ kind: stopped.aborted ? 'stopped' : 'refused' });
  const startedNs = now();
  const pacer = new Pacer(order, { onRefused: () => refused.abort() });
  try {
    await until(startedNs + RAMP_NS, over);
    if (over.aborted) return ending();
    await until(await ready(), over);
    if (over.aborted) return ending();
    const tally = pacer.openWindow();
    const bytesBefore = pacer.bytes;
    const opened = await readEdge(now(), order.pids);
    await until(opened.atNs + order.windowNs / 2, over);
    const halfway = { ns: now() - opened.atNs, ok: tally.counts.ok };
    await until(opened.atNs + order.windowNs, over);
    if (over.aborted) return ending();
    pacer.closeWindow();
    const bytes = pacer.bytes - bytesBefore;
    const closed = await readEdge(now(), order.pids);

    const memory = await readMemoryOf(order.pids);
    await pacer.stop();
    const { planned, dropped, late, ...window } = tally.counts;
    const { planned: _planned, dropped: _dropped, late: _late, ...ledger } = pacer.total.counts;
    return {
      kind: 'measured',
      measurement: {
        warmupNs: opened.atNs - startedNs,
        warmupCapped: false,
        ...usedBetween(opened, closed),
        window: { ...window, bytes },
        halfway,
        generators: 1,
        ...(await drain(order)),
        ledger: { ...ledger, inFlight: pacer.total.inFlight },
        latencyHistogram: encode(tally.latency),
        agesHistograms: { lost: encode(tally.ages.lost), inFlight: encode(tally.ages.inFlight) },
        memory,
        pace: { planned, dropped, lateness: { late, histogram: encode(tally.lateness) } },
        series: [],
        turns: { all: 0, empty: 0, idleNs: 0 },
      },
    };
  } finally {
    await pacer.stop();
  }
}
