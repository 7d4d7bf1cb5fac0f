import { untilFirst } from './clock.ts';
import { closedLoop } from './closed-loop.ts';
import { drain } from './drain.ts';
import { endingOf, type Job, measureWindow } from './loop.ts';
import { answersOf } from './measurement.ts';
import type { BatchWindow, EndlessOrder, Reply } from './protocol.ts';

export type Batches = Awaited<ReturnType<typeof beginBatches>>;

/** Begins a load that keeps running while windows of it are measured. */
export async function beginBatches(order: EndlessOrder, { stopped, cursors, readings }: Job) {
  const loop = closedLoop(order, cursors);
  const over = AbortSignal.any([stopped, loop.broken]);
  await loop.begin(over);
  return {
    take: async ({ ns, answers }: BatchWindow): Promise<Reply> => {
      const isEnough = () => answers !== null && answersOf(loop.window.counts) >= answers;
      const used = await measureWindow(order, loop, readings, over, async (fromNs) => {
        await untilFirst(fromNs + ns, loop.until(isEnough), over);
      });
      if (used === null) return endingOf(loop, stopped);
      loop.resume();
      const { memory } = await readings.memory(order);
      const batch = {
        answers: answersOf(loop.window.counts),
        ns: used.windowNs,
        cpuNs: used.cpu.server.cpuNs,
        bytes: memory.server,
      };
      return { kind: 'batch', batch };
    },
    /** Ends the load, and waits until the server is idle. */
    end: async () => {
      await loop[Symbol.asyncDispose]();
      // If the server is gone, the next measurement will notice.
      await drain(order, readings).catch(() => {});
    },
  };
}
