import { untilFirst } from './clock.ts';
import { type ClosedLoop, closedLoop } from './closed-loop.ts';
import { drain } from './drain.ts';
import { endingOf, type Job, measureWindow } from './loop.ts';
import { answersOf } from './measurement.ts';
import type { BatchWindow, EndlessOrder, Reply } from './protocol.ts';

export type Batches = ReturnType<typeof batchesOf>;

/** A load that keeps running while windows of it are measured. It starts with the first window. */
export function batchesOf(order: EndlessOrder, { stopped, cursors, readings }: Job) {
  let begun: { loop: ClosedLoop; over: AbortSignal } | null = null;
  const begin = async () => {
    const loop = closedLoop(order, cursors);
    const over = AbortSignal.any([stopped, loop.broken]);
    await loop.begin(over);
    return { loop, over };
  };
  return {
    take: async ({ ns, answers }: BatchWindow): Promise<Reply> => {
      begun ??= await begin();
      const { loop, over } = begun;
      const isEnough = () => answers !== null && answersOf(loop.window.counts) >= answers;
      const used = await measureWindow(order, loop, readings, over, (fromNs) => {
        return untilFirst(fromNs + ns, loop.until(isEnough), over);
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
      if (begun === null) return;
      await begun.loop[Symbol.asyncDispose]();
      // If the server is gone, the next measurement will notice.
      await drain(order, readings).catch(() => {});
    },
  };
}
