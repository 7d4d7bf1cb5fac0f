import { createServer } from 'node:http';

const host = process.env.HOST ?? '127.0.0.1';
const port = Number(process.env.PORT ?? 3005);

const body = 'Hello World!';
const headers = ['content-type', 'text/plain', 'content-length', String(Buffer.byteLength(body))];

// The cheapest of the ways in bench/floor: no stream events for requests without a body, no timer
// for idle connections.
const server = createServer({ optimizeEmptyRequests: true }, (_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
});
server.keepAliveTimeout = 0;

server.once('error', (error) => {
  console.error(error.message);
  process.exit(1);
});
server.listen(port, host);

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    server.close();
    server.closeAllConnections();
  });
}
