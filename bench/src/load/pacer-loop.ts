import { now, until } from './clock.ts';
import type { Loop } from './loop.ts';
import type { RequestCursors } from './mix.ts';
import { countedOf, PaceTally } from './pace-tally.ts';
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
      return countedOf(pacer.total, tally, order.requests.length, bytes.closed - bytes.opened);
    },
    [Symbol.asyncDispose]: () => pacer.stop(),
  };
}
