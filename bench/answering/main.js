/** The floor of servers that somebody names: reads the same request, and sends the same answer. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { status, headers, body } = JSON.parse(readFileSync(process.env.ANSWER ?? '', 'utf8'));
const bytes = Buffer.from(body.data, body.encoding);
// No status of these has a body, nor a length of one.
const isBare = status === 204 || status === 304;
const length = isBare ? [] : ['content-length', String(bytes.length)];
const head = [...Object.entries(headers).flat(), ...length];

// As packages/node-http: no stream events for requests without a body, no timer for idle connections.
const server = createServer({ optimizeEmptyRequests: true }, (request, response) => {
  const answer = () => {
    response.writeHead(status, head);
    response.end(isBare ? undefined : bytes);
  };
  const { 'content-length': sent, 'transfer-encoding': encoding } = request.headers;
  if (sent === undefined && encoding === undefined) answer();
  else request.resume().once('end', answer);
});
server.keepAliveTimeout = 0;

server.once('error', (error) => {
  console.error(error.message);
  process.exit(1);
});
server.listen(Number(process.env.PORT), process.env.HOST ?? '127.0.0.1');

for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit());
