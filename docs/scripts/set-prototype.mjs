/**
 * What Express does to each request, without Express: it gives the request and the response another prototype. Prints
 * what a request costs a `node:http` server without that and with it, in µs of CPU, and whether two responses that
 * then get the same property still share a hidden class. Each figure is the median of launches in turns. On two versions:
 *
 *     for node in 22.13.1 24; do npx -y node@$node docs/scripts/set-prototype.mjs; done
 *
 * Arguments: requests of a launch, after as many that warm it up (20000), and launches of each kind (5).
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';

const [requests = 20_000, launches = 5] = process.argv.slice(2, 4).map(Number);
const kind = process.argv[4];
const ofRequests = Object.create(IncomingMessage.prototype);
const ofResponses = Object.create(ServerResponse.prototype);

/** Tells the parent its port, and what a request cost once all were answered. */
function serve() {
  let answered = 0;
  let before;
  const server = createServer((request, response) => {
    if (kind === 'changed') Object.setPrototypeOf(request, ofRequests);
    if (kind === 'changed') Object.setPrototypeOf(response, ofResponses);
    response.setHeader('Content-Type', 'text/plain');
    response.end('Hello World!');
    answered += 1;
    if (answered === requests) before = process.cpuUsage();
    if (answered !== 2 * requests) return;
    const { user, system } = process.cpuUsage(before);
    process.send((user + system) / requests);
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
}

/** What a request costs a server of this kind, asked on 50 connections. */
async function microsOf(kind) {
  const server = fork(import.meta.filename, [requests, launches, kind].map(String));
  const [port] = await once(server, 'message');
  for (let i = 0; i < 50; i += 1) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    const ask = () => socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    socket.on('connect', ask).on('data', ask);
  }
  const [micros] = await once(server, 'message');
  server.kill();
  return micros;
}

/** Whether two responses have one hidden class after each got another prototype and then a property. */
function doShare() {
  setFlagsFromString('--allow-natives-syntax');
  const [one, other] = [1, 2].map((value) => {
    const response = new ServerResponse(new IncomingMessage(null));
    return Object.assign(Object.setPrototypeOf(response, ofResponses), { value });
  });
  return new Function('one', 'other', 'return %HaveSameMap(one, other)')(one, other);
}

async function compare() {
  const all = { kept: [], changed: [] };
  for (let i = 0; i < launches; i += 1) {
    for (const kind of ['kept', 'changed']) all[kind].push(await microsOf(kind));
  }
  const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
  const [kept, changed] = [median(all.kept), median(all.changed)];
  console.log(`Node ${process.versions.node}, V8 ${process.versions.v8}`);
  console.log(`  ${kept.toFixed(1)} µs a request`);
  const times = (changed / kept).toFixed(2);
  console.log(`  ${changed.toFixed(1)} µs with setPrototypeOf, ${times} times`);
  console.log(`  responses ${doShare() ? 'share a hidden class' : 'have a hidden class each'}`);
}

if (kind === undefined) await compare();
else serve();
