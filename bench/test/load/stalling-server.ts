/**
 * Answers after a few ms, except that it does nothing at all for 1 s, once, so many ms after its first
 * request as it is told. Says on which port it listens.
 */
import { createServer } from 'node:http';
import { HOST } from '../../src/launch/server.ts';
import { BODY } from './servers.ts';

const STALL_AFTER_MS = Number(process.argv[2]);
const STALL_MS = 1000;
/** So that a closed loop without a pause leaves the machine to others. */
const ANSWER_MS = 5;
/** Room for all connections that are opened while nobody accepts them. */
const BACKLOG = 4096;

let isAsked = false;
const server = createServer((_request, response) => {
  if (!isAsked) setTimeout(stall, STALL_AFTER_MS);
  isAsked = true;
  setTimeout(() => response.end(BODY), ANSWER_MS);
});
server.listen({ port: 0, host: HOST, backlog: BACKLOG }, () => {
  const address = server.address();
  if (typeof address === 'object') console.log(address?.port);
});

/** Blocks the event loop without using the CPU. */
function stall(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STALL_MS);
}
