/**
 * A bare HTTP server whose handler does some work that is the same in all of them, and then some of its
 * own: `node working.ts TURNS KIND AMOUNT [COMPILE_MS]`. It measures by the clock what its own work takes, and what
 * the garbage collector takes, and tells both under
 * /timer?since=NS, of what came since that instant of the monotonic clock.
 */
import { createServer, type ServerResponse } from 'node:http';
import { PerformanceObserver, performance } from 'node:perf_hooks';
import { listen } from './listen.ts';
import { sinceMs } from './since.ts';
import { spin } from './spin.ts';
import { isWork, WORKS } from './works.ts';

const [turnsText, kind, amountText, compileText = '100'] = process.argv.slice(2);
if (!isWork(kind)) throw new Error('node working.ts TURNS KIND AMOUNT');
const [turns, amount] = [Number(turnsText), Number(amountText)];
const work = WORKS[kind];

const BODY = 'Hello World!';
const HEAD = ['content-type', 'text/plain', 'content-length', String(BODY.length)];

/** What the work took by the clock, ms, for each request, and when that was. */
const durations = new Float64Array(2 ** 18);
const times = new Float64Array(durations.length);
/** Room to sort them in, so that telling leaves no garbage. */
const sorted = new Float64Array(durations.length);
let count = 0;
/** What the garbage collector took, ms, and when that was. */
const collections: { atMs: number; ms: number }[] = [];

new PerformanceObserver((list) => {
  for (const { startTime: atMs, duration: ms } of list.getEntries()) collections.push({ atMs, ms });
}).observe({ entryTypes: ['gc'] });

/** Tells of the requests since an instant by `performance.now()`, ms. */
function tell(response: ServerResponse, fromMs: number): void {
  let told = 0;
  let sum = 0;
  for (let index = Math.max(0, count - durations.length); index < count; index++) {
    const place = index % durations.length;
    if ((times[place] ?? 0) < fromMs) continue;
    const ms = durations[place] ?? 0;
    sorted[told++] = ms;
    sum += ms;
  }
  const taken = sorted.subarray(0, told).sort();
  let collectingMs = 0;
  for (const { atMs, ms } of collections) if (atMs >= fromMs) collectingMs += ms;
  const nanoseconds = (ms: number) => (Number.isFinite(ms) ? ms * 1e6 : 0);
  response.end(
    JSON.stringify({
      medianNs: nanoseconds(taken[told >> 1] ?? 0),
      meanNs: nanoseconds(sum / told),
      gcNs: nanoseconds(collectingMs / told),
    }),
  );
}

const server = createServer({ optimizeEmptyRequests: true }, (request, response) => {
  if (request.url?.startsWith('/timer') === true) {
    tell(response, sinceMs(request.url));
    return;
  }
  spin(turns);
  const begin = performance.now();
  work(amount);
  const end = performance.now();
  // What the clock itself takes is no part of the work.
  const after = performance.now();
  times[count % times.length] = begin;
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
