import { now, until } from './clock.ts';
import { encode } from './histogram.ts';
import type { Loop } from './loop.ts';
import type { RequestCursors } from './mix.ts';
import { PaceTally } from './pace-tally.ts';
import { Pacer } from './pacer.ts';
import type { OpenOrder } from './protocol.ts';

/** How long requests leave before the window can open: so long are connections still being made, ns. */
const RAMP_NS = 5e8;

/** Sends requests at a rate, by the pacer of this harness. */
export async function pacerLoop(order: OpenOrder, cursors: RequestCursors): Promise<Loop> {
  const refused = new AbortController();
  const startedNs = now();
  const pacer = new Pacer(order, { onRefused: () => refused.abort() }, cursors);
  let tally = new PaceTally();
  const bytes = { opened: 0, closed: 0 };
  return {
    senders: [],
    broken: refused.signal,
    whyBroken: async () => 'refused',
    begin: async (ready, over) => {
      await until(startedNs + RAMP_NS, over);
      await ready();
    },
    openWindow: (atNs) => {
      tally = pacer.openWindow(atNs);
      bytes.opened = pacer.bytes;
      return atNs;
    },
    okSoFar: () => tally.counts.ok,
    closeWindow: (atNs) => {
      pacer.closeWindow(atNs);
      bytes.closed = pacer.bytes;
    },
    stop: async () => {
      await pacer.stop();
      return true;
    },
    counted: () => {
      const { planned, dropped, late, ...window } = tally.counts;
      const { planned: _planned, dropped: _dropped, late: _late, ...ledger } = pacer.total.counts;
      return {
        warmupCapped: false,
        window: { ...window, bytes: bytes.closed - bytes.opened },
        ledger: { ...ledger, inFlight: pacer.total.inFlight },
        requests:
          order.requests.length === 1
            ? []
            : order.requests.map((_, place) => tally.answersTo(place)),
        latencyHistogram: encode(tally.latency),
        agesHistograms: { lost: encode(tally.ages.lost), inFlight: encode(tally.ages.inFlight) },
        pace: { planned, dropped, lateness: { late, histogram: encode(tally.lateness) } },
        turns: { all: 0, empty: 0, idleNs: 0 },
      };
    },
    [Symbol.asyncDispose]: () => pacer.stop(),
  };
}
