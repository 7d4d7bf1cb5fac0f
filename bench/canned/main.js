/** Answers every request with the same bytes, without looking at more than where it ends. */
import { createServer } from 'node:net';

const END = '\r\n\r\n';
const BODY = 'Hello World!';
const ANSWER = `HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: ${BODY.length}${END}${BODY}`;

const server = createServer({ noDelay: true }, (socket) => {
  let rest = '';
  socket.on('data', (chunk) => {
    const heads = (rest + chunk.toString('latin1')).split(END);
    rest = heads.pop() ?? '';
    if (heads.length > 0) socket.write(ANSWER.repeat(heads.length), 'latin1');
  });
  // A client that goes away in the middle is no reason to end.
  socket.on('error', () => socket.destroy());
});

server.once('error', (error) => {
  console.error(error.message);
  process.exit(1);
});
server.listen(Number(process.env.PORT), process.env.HOST ?? '127.0.0.1');

for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit());
