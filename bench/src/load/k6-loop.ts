import { settled } from '../launch/teardown.ts';
import { now, until, untilFirst } from './clock.ts';
import { startK6 } from './k6.ts';
import { countedBy, type K6Output, planOf, RAMP_NS } from './k6-script.ts';
import { type OpenLoop, REFUSED } from './loop.ts';

/** How long k6 may take to get ready, and to hand over its output, ns. */
const ANSWER_NS = 20e9;

/**
 * Sends requests at a rate with k6: on this machine, or a segment of the load on each of these hosts. The share of a
 * host that is lost after all have begun is `lost`. `countedBy` says from when latency counts.
 */
export const k6Loop: OpenLoop = async (order, cursors, hosts) => {
  const cursor = cursors.ofOne(order);
  const plan = planOf(order, cursor.ahead());
  await using starting = new AsyncDisposableStack();
  const on = hosts.length === 0 ? [null] : hosts;
  const startOn = async (host: string | null, index: number) => {
    return starting.use(await startK6(plan, { index, of: on.length, host }));
  };
  const all = await settled(on.map(startOn));
  const started = starting.move();

  const broken = new AbortController();
  /** How many more may end by themselves: none before all have begun, then all but one, and all once they are stopped. */
  let mayEnd = 0;
  const ended = (error: Error) => {
    if (--mayEnd < 0) broken.abort(error);
  };
  for (const k6 of all) {
    k6.asked('refused').then(() => broken.abort(REFUSED));
    k6.output.then(() => ended(new Error('k6 ended before its time')), ended);
  }
  let waiting: ((() => void) | null)[] = [];
  let outputs: (K6Output | null)[] = [];
  return {
    senders: all.flatMap(({ pid }) => pid ?? []),
    broken: broken.signal,
    begin: async (over) => {
      const lateNs = now() + ANSWER_NS;
      waiting = await Promise.all(all.map((k6) => untilFirst(lateNs, k6.asked('ready'), over)));
      const silent = waiting.indexOf(null);
      if (silent === -1 || over.aborted) return;
      const where = hosts.length === 0 ? '' : ` on ${hosts[silent]}`;
      throw new Error(`k6${where} was not ready within ${ANSWER_NS / 1e9} s`);
    },
    start: async (over) => {
      mayEnd = all.length - 1;
      for (const begin of waiting) begin?.();
      await until(now() + RAMP_NS, over);
    },
    openWindow: (atNs) => atNs,
    closeWindow: () => {},
    stop: async (over) => {
      mayEnd = all.length;
      const lateNs = now() + ANSWER_NS;
      const ending = all.map(async (k6) => {
        const output = k6.output.catch(() => null);
        // A k6 that is lost before asks nothing more, and does not count.
        const lost = output.then(() => null);
        const end = await untilFirst(lateNs, Promise.race([k6.asked('over'), lost]), over);
        end?.();
        return end === null ? null : await untilFirst(lateNs, output, over);
      });
      outputs = await Promise.all(ending);
      if (over.aborted) return;
      const known = outputs.filter((each) => each !== null);
      // If all are lost, the first says why.
      if (known.length === 0) outputs = [(await all[0]?.output) ?? null];
      // k6 has gone through the mix, from where the cursor was.
      for (const _ of known.flatMap(({ requests }) => requests)) cursor.next();
    },
    counted: () => countedBy(outputs, plan),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
};
