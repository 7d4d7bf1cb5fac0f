/** The floor of servers that somebody names: reads the same requests, and sends the same answers. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const declared = JSON.parse(readFileSync(process.env.ANSWERS ?? '', 'utf8'));
/** By these some requests may differ. */
const names = [...new Set(declared.flatMap(({ request }) => Object.keys(request.headers)))].map(
  (name) => name.toLowerCase(),
);
const answers = declared.map(({ request, status, headers, body }) => {
  const bytes = bytesOf(body);
  // No status of these has a body, nor a length of one.
  const isBare = status === 204 || status === 304;
  const length = isBare ? [] : ['content-length', String(bytes.length)];
  const head = [...Object.entries(headers).flat(), ...length];
  const sent = request.body === null ? '' : bytesOf(request.body).toString('latin1');
  return {
    asked: asked(request.method, request.path, new Headers(request.headers), sent),
    send: (response) => {
      response.writeHead(status, head);
      response.end(isBare ? undefined : bytes);
    },
  };
});
const [{ send: sendFirst }] = answers;
const isMix = answers.length > 1;
const byRequest = new Map(answers.map(({ asked, send }) => [asked, send]));

function bytesOf({ data, encoding }) {
  return Buffer.from(data, encoding);
}

function asked(method, path, headers, sent) {
  return [method, path, ...names.map((name) => headers.get(name) ?? ''), sent].join('\n');
}

/** With several answers it is the whole request that says which; what nobody asks for has the first. */
function answer({ method, url, headers }, sent, response) {
  const send = isMix
    ? byRequest.get(asked(method, url, new Map(Object.entries(headers)), sent))
    : sendFirst;
  (send ?? sendFirst)(response);
}

// As packages/node-http: no stream events for requests without a body, no timer for idle connections.
const server = createServer({ optimizeEmptyRequests: true }, (request, response) => {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (length === undefined && encoding === undefined) {
    answer(request, '', response);
    return;
  }
  if (!isMix) {
    request.resume().once('end', () => answer(request, '', response));
    return;
  }
  let sent = '';
  request.setEncoding('latin1').on('data', (piece) => {
    sent += piece;
  });
  request.once('end', () => answer(request, sent, response));
});
server.keepAliveTimeout = 0;

server.once('error', (error) => {
  console.error(error.message);
  process.exit(1);
});
server.listen(Number(process.env.PORT), process.env.HOST ?? '127.0.0.1');

for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit());
