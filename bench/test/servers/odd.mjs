/** A server in one of the ways in which servers are odd, by its argument. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';

const [, , way, ...rest] = process.argv;
const port = Number(process.env.PORT);
const TEXT = 'Hello World!';
const text = (response, body = TEXT, head = {}) => {
  response.writeHead(200, {
    'content-type': 'text/plain',
    'content-length': Buffer.byteLength(body),
    ...head,
  });
  response.end(body);
};
const serve = (answer, at = port, host = process.env.HOST) => createServer(answer).listen(at, host);
let answered = 0;

const WAYS = {
  plain: () => serve((_, response) => text(response)),
  /** Its answer holds what it was told in the environment. */
  environment: () =>
    serve((_, response) => text(response, `${process.env.TOLD} ${process.env.UNTOLD}`)),
  'own-port': () => serve((_, response) => text(response), Number(rest[0])),
  'all-addresses': () => serve((_, response) => text(response), port, '0.0.0.0'),
  'only-ipv6': () =>
    createServer((_, response) => text(response)).listen({ port, host: '::1', ipv6Only: true }),
  'one-host': () =>
    serve((request, response) => {
      if (request.headers.host?.startsWith('localhost')) return text(response);
      response.writeHead(403).end('Blocked request. This host is not allowed.');
    }),
  /** Says what it was asked. */
  echoes: () =>
    serve(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      text(response, `${request.method} ${request.url} ${request.headers['x-tag']} ${body}`);
    }),
  redirects: () =>
    serve((_, response) => response.writeHead(302, { location: '/elsewhere' }).end()),
  missing: () => serve((_, response) => response.writeHead(404, { 'content-length': 0 }).end()),
  closes: () => serve((_, response) => text(response, TEXT, { connection: 'close' })),
  silent: () => serve(() => {}),
  large: () => serve((_, response) => text(response, 'x'.repeat(Number(rest[0])))),
  counts: () => serve((_, response) => text(response, String(1_000_000 + answered++))),
  grows: () => serve((_, response) => text(response, 'x'.repeat(1 + (answered++ % 9)))),
  ends: () => console.error('no configuration'),
  'never-listens': () => setInterval(() => {}, 1000),
  /** The server is a process that leaves the group, and the one that was started ends. */
  leaves: () => {
    const args = [process.argv[1], 'plain'];
    spawn(process.execPath, args, { detached: true, stdio: 'ignore' }).unref();
  },
};
WAYS[way]();
