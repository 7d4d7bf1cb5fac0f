/** How a server speaks, by bytes on a socket of our own. */
import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { codeOf } from '../base/errors.ts';
import { bytesOf, type Exchange } from '../targets/exchange.ts';

/** What a socket tells first, by `listen`; no where it fails, is closed, or has told nothing when this is aborted. */
export function tells(
  socket: Socket,
  over: AbortSignal,
  listen: (tell: (is: boolean) => void) => void,
): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    over.addEventListener('abort', () => end(false), { once: true });
    for (const event of ['error', 'close'] as const) socket.once(event, () => end(false));
    listen(end);
  });
}

/** What a connection fails with where nobody listens, or this machine has no such address. */
const NOBODY = ['ECONNREFUSED', 'EADDRNOTAVAIL', 'EAFNOSUPPORT', 'ENETUNREACH'];

/** Whether somebody accepts a connection there. @throws what else a connection fails with. */
export function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error) => {
      if (NOBODY.includes(codeOf(error) ?? '')) resolve(false);
      else reject(error);
    });
  });
}

/** Where a server listens; its port is 80 where none is said. */
export function addressOf(origin: string): { host: string; port: number } {
  const { port, hostname } = new URL(origin);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) };
}

const TLS_MS = 2000;

/** Whether a server there wants TLS. */
export function speaksTls(origin: string, signal: AbortSignal): Promise<boolean> {
  const socket = connectSecurely({ ...addressOf(origin), rejectUnauthorized: false });
  const over = AbortSignal.any([signal, AbortSignal.timeout(TLS_MS)]);
  return tells(socket, over, (tell) => socket.once('secureConnect', () => tell(true)));
}

/** Sent at once on one connection to see whether all are answered. */
const AT_ONCE = 5;
const AT_ONCE_MS = 2000;

/** Whether as many answers come as requests were sent at once on one connection. */
export function answersAtOnce(
  origin: string,
  { request: { method, path, headers, body } }: Exchange,
  signal: AbortSignal,
): Promise<boolean> {
  const { host } = new URL(origin);
  const sent = body === null ? Buffer.alloc(0) : bytesOf(body);
  const length = body === null ? {} : { 'content-length': String(sent.length) };
  const lines = Object.entries({ host, ...headers, ...length }).map((each) => each.join(': '));
  const head = Buffer.from([`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
  const request = Buffer.concat([head, sent]);
  const socket = connect(addressOf(origin)).setEncoding('latin1');
  socket.write(Buffer.concat(Array.from({ length: AT_ONCE }, () => request)));
  const over = AbortSignal.any([signal, AbortSignal.timeout(AT_ONCE_MS)]);
  let text = '';
  return tells(socket, over, (tell) => {
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (text.split('HTTP/1.1 ').length > AT_ONCE) tell(true);
    });
  });
}
