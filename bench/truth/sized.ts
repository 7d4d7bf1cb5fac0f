/** A server whose answers have a head and a body of given sizes: `node sized.ts HEAD BODY`, in bytes. */
import { createServer } from 'node:net';
import { listen } from './listen.ts';

const [headBytes = 0, bodyBytes = 0] = process.argv.slice(2).map(Number);

const END = '\r\n\r\n';
const start = `HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: ${bodyBytes}\r\nx-padding: `;
const padding = 'x'.repeat(headBytes - start.length - END.length);
const answer = `${start}${padding}${END}${'x'.repeat(bodyBytes)}`;

listen(
  createServer({ noDelay: true }, (socket) => {
    let rest = '';
    socket.on('data', (chunk) => {
      const heads = (rest + chunk.toString('latin1')).split(END);
      rest = heads.pop() ?? '';
      if (heads.length > 0) socket.write(answer.repeat(heads.length), 'latin1');
    });
    // A client that goes away in the middle is no reason to end.
    socket.on('error', () => socket.destroy());
  }),
);
