/**
 * A bare HTTP server that does the same work for each request as all of them, and then some of its own at another
 * time: `node later.ts TURNS WHEN AMOUNT`. An amount of 0 sets the same timers and sends the same messages, and does
 * nothing then. It adds up the CPU time of the thread, or the process, that does the work, and tells it under
 * /timer?since=NS, for what was done and asked since that instant of the monotonic clock.
 */
import { fork } from 'node:child_process';
import { createServer } from 'node:http';
import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { Account } from './account.ts';
import { listen } from './listen.ts';
import { sinceMs } from './since.ts';
import { spin } from './spin.ts';

const [turnsText, when = '', amountText] = process.argv.slice(2);
const [turns, amount] = [Number(turnsText), Number(amountText)];

const DELAY_MS = 5;
const EVERY_MS = 250;
const EVERY_REQUESTS = 20_000;
/** As many requests as a message to another thread or process is for. */
const REQUESTS_A_MESSAGE = 100;

const BODY = 'Hello World!';
const HEAD = ['content-type', 'text/plain', 'content-length', String(BODY.length)];

const account = new Account();
const work = (requests: number) => {
  account.begin();
  spin(amount * requests);
  account.end();
};

let waiting = 0;
/** Has the work of all that came since done elsewhere, by so many requests at a time. */
const inMessages = (send: (requests: number) => void) => () => {
  if (++waiting < REQUESTS_A_MESSAGE) return;
  send(waiting);
  waiting = 0;
};

/** What is done for each request, by when its work is. */
const WHEN: Record<string, () => () => void> = {
  after: () => () => setImmediate(work, 1),
  late: () => () => setTimeout(work, DELAY_MS, 1),
  batched: () => {
    setInterval(() => {
      work(waiting);
      waiting = 0;
    }, EVERY_MS);
    return () => {
      waiting++;
    };
  },
  seldom: () => () => {
    if (account.requests % EVERY_REQUESTS === 0) work(EVERY_REQUESTS);
  },
  thread: () => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { argv: [String(amount)] });
    worker.on('message', (cpuNs: number) => account.add(cpuNs));
    return inMessages((requests) => worker.postMessage(requests));
  },
  child: () => {
    const child = fork(new URL('./worker.ts', import.meta.url), [String(amount)]);
    child.on('message', (cpuNs: number) => account.add(cpuNs));
    process.once('exit', () => child.kill('SIGKILL'));
    return inMessages((requests) => child.send(requests));
  },
};

const begin = WHEN[when];
if (begin === undefined) throw new Error(`node later.ts TURNS WHEN AMOUNT: ${Object.keys(WHEN)}`);
const ask = begin();

const server = createServer({ optimizeEmptyRequests: true }, (request, response) => {
  if (request.url?.startsWith('/timer') === true) {
    response.end(JSON.stringify(account.since(sinceMs(request.url))));
    return;
  }
  account.request();
  spin(turns);
  ask();
  response.writeHead(200, HEAD);
  response.end(BODY);
});
server.keepAliveTimeout = 0;
// The work is to take the same from the first request on, so it is compiled before.
const compiledMs = performance.now() + 100;
while (performance.now() < compiledMs) spin(turns);
listen(server);
