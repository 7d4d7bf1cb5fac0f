import { createServer } from 'node:http';

const host = process.env.HOST ?? '127.0.0.1';
const port = Number(process.env.PORT ?? 3005);

const body = 'Hello World!';
const headers = ['Content-Type', 'text/plain', 'Content-Length', String(Buffer.byteLength(body))];

const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
});

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
