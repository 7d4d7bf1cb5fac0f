/** A thread or a process that does the work of so many requests when it is told their number, and says what it took. */
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { parentPort } from 'node:worker_threads';
import { processUs } from './account.ts';
import { spin } from './spin.ts';

const amount = Number(process.argv[2]);

/** CPU time of the work of so many requests, ns. */
function work(requests: number, cpuNs: () => number): number {
  const from = cpuNs();
  spin(amount * requests);
  return cpuNs() - from;
}

/** How long this thread did not wait for a core, so far, ns. */
function notWaitingNs(): number {
  const [, waitedNs] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ');
  return performance.now() * 1e6 - Number(waitedNs);
}

if (parentPort === null) {
  process.on('message', (requests: number) => {
    process.send?.(work(requests, () => processUs() * 1000));
  });
  process.once('disconnect', () => process.exit());
} else {
  const port = parentPort;
  port.on('message', (requests: number) => port.postMessage(work(requests, notWaitingNs)));
}
