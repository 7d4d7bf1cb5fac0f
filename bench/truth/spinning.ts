/**
 * A bare HTTP server whose handler does some work, and then some extra work: `node spinning.ts TURNS
 * EXTRA [timed]`. A timed one measures by the clock what the extra work takes, and tells it under
 * /timer.
 */
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { listen } from './listen.ts';
import { spin } from './spin.ts';

const [turns = 0, extra = 0] = process.argv.slice(2, 4).map(Number);
const timed = process.argv[4] === 'timed';

const COMPILE_MS = 100;
const BODY = 'Hello World!';
const HEAD = ['content-type', 'text/plain', 'content-length', String(BODY.length)];

function answer(response: ServerResponse): void {
  response.writeHead(200, HEAD);
  response.end(BODY);
}

/** What the extra work took by the clock, ms, for each request of the present load. */
const durations = new Float64Array(2 ** 18);
let count = 0;
/** No request for so long, ms, and the next one begins another load. */
const PAUSE_MS = 100;
let lastMs = 0;

function tell(response: ServerResponse): void {
  const taken = durations.slice(0, Math.min(count, durations.length)).sort();
  const mean = taken.reduce((sum, each) => sum + each, 0) / taken.length;
  const median = taken[taken.length >> 1];
  response.end(JSON.stringify({ medianNs: (median ?? 0) * 1e6, meanNs: mean * 1e6 }));
}

const timedHandler: RequestListener = (request, response) => {
  if (request.url === '/timer') {
    tell(response);
    return;
  }
  spin(turns);
  const begin = performance.now();
  spin(extra);
  const end = performance.now();
  // What the clock itself takes is no part of the work.
  const after = performance.now();
  if (begin - lastMs > PAUSE_MS) count = 0;
  lastMs = after;
  durations[count++ % durations.length] = end - begin - (after - end);
  answer(response);
};

const plainHandler: RequestListener = (_request, response) => {
  spin(turns);
  spin(extra);
  answer(response);
};

const server = createServer({ optimizeEmptyRequests: true }, timed ? timedHandler : plainHandler);
server.keepAliveTimeout = 0;
// The work is to take the same from the first request on, so it is compiled before.
const compiledMs = performance.now() + COMPILE_MS;
while (performance.now() < compiledMs) spin(turns + extra);
listen(server);
