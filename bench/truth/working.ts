/**
 * A bare HTTP server whose handler does some work that is the same in all of them, and then some of its
 * own: `node working.ts TURNS KIND AMOUNT [COMPILE_MS]`. It measures by the clock what its own work takes, and what
 * the garbage collector takes, and tells both under /timer.
 */
import { createServer, type ServerResponse } from 'node:http';
import { PerformanceObserver, performance } from 'node:perf_hooks';
import { listen } from './listen.ts';
import { spin } from './spin.ts';
import { isWork, WORKS } from './works.ts';

const [turnsText, kind, amountText, compileText = '100'] = process.argv.slice(2);
if (!isWork(kind)) throw new Error('node working.ts TURNS KIND AMOUNT');
const [turns, amount] = [Number(turnsText), Number(amountText)];
const work = WORKS[kind];

const BODY = 'Hello World!';
const HEAD = ['content-type', 'text/plain', 'content-length', String(BODY.length)];

/** What the work took by the clock, ms, for each request since it was told the last time. */
const durations = new Float64Array(2 ** 18);
/** Room to sort them in, so that telling leaves no garbage. */
const sorted = new Float64Array(durations.length);
let count = 0;
/** What the garbage collector took since then, ms. */
let collectingMs = 0;

new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) collectingMs += duration;
}).observe({ entryTypes: ['gc'] });

function tell(response: ServerResponse): void {
  const held = Math.min(count, durations.length);
  const taken = sorted.subarray(0, held);
  taken.set(durations.subarray(0, held));
  taken.sort();
  let sum = 0;
  for (const each of taken) sum += each;
  const nanoseconds = (ms: number) => (Number.isFinite(ms) ? ms * 1e6 : 0);
  const told = {
    medianNs: nanoseconds(taken[held >> 1] ?? 0),
    meanNs: nanoseconds(sum / held),
    gcNs: nanoseconds(collectingMs / count),
  };
  response.end(JSON.stringify(told));
  count = 0;
  collectingMs = 0;
}

const server = createServer({ optimizeEmptyRequests: true }, (request, response) => {
  if (request.url?.startsWith('/timer') === true) {
    tell(response);
    return;
  }
  spin(turns);
  const begin = performance.now();
  work(amount);
  const end = performance.now();
  // What the clock itself takes is no part of the work.
  const after = performance.now();
  durations[count++ % durations.length] = end - begin - (after - end);
  response.writeHead(200, HEAD);
  response.end(BODY);
});
server.keepAliveTimeout = 0;
// The work is to take the same from the first request on, so it is compiled before.
const compiledMs = performance.now() + Number(compileText);
while (performance.now() < compiledMs) {
  spin(turns);
  work(amount);
}
listen(server);
