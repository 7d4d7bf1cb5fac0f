/** Asks a Node process when its garbage collector ran, by its own clock. */
import { z } from 'zod';
import { type Session, textAnswerSchema } from './inspector-session.ts';

/** A time in which the garbage collector held the first thread up, on the machine's monotonic clock. */
export interface Collection {
  beganNs: number;
  ns: number;
}

/** Runs in the process: notes each collection from here on, until the function that it returns is called. */
const WATCH = `(() => {
  const { PerformanceObserver, performance } = require('node:perf_hooks');
  const seen = [];
  const note = (entries) => {
    for (const { startTime, duration } of entries) seen.push([startTime, duration]);
  };
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  return () => {
    note(observer.takeRecords());
    observer.disconnect();
    const zeroMs = Number(process.hrtime.bigint()) / 1e6 - performance.now();
    return JSON.stringify({ zeroMs, seen });
  };
})()`;

/** Calls what `WATCH` returned. */
const END = 'function () { return this(); }';

const handleSchema = z.object({ result: z.looseObject({ objectId: z.string() }) });
const seenSchema = z.object({
  /** What the machine's clock says when the process's own says 0. */
  zeroMs: z.number(),
  seen: z.array(z.tuple([z.number(), z.number()])),
});

/**
 * Starts to note the collections of a process. Returns what ends it and tells them.
 * @throws as `Session.ask`, and when the process has no `perf_hooks`.
 */
export async function watchCollections(session: Session): Promise<() => Promise<Collection[]>> {
  const how = { expression: WATCH, includeCommandLineAPI: true };
  const { objectId } = handleSchema.parse(await session.ask('Runtime.evaluate', how)).result;
  return async () => {
    const call = { objectId, functionDeclaration: END, returnByValue: true };
    const answer = await session.ask('Runtime.callFunctionOn', call);
    const { value } = textAnswerSchema.parse(answer).result;
    const { zeroMs, seen } = seenSchema.parse(JSON.parse(value));
    return seen.map(([startMs, ms]) => ({ beganNs: (zeroMs + startMs) * 1e6, ns: ms * 1e6 }));
  };
}
