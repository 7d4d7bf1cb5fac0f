/** How a server speaks, by bytes on a socket of our own. */
import { connect } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { bytesOf, type Exchange } from '../targets/exchange.ts';

/** Sent at once on one connection to see whether all are answered. */
const AT_ONCE = 5;
const AT_ONCE_MS = 2000;
const TLS_MS = 2000;

/** Where a server listens; its port is 80 where none is said. */
export function addressOf(origin: string): { host: string; port: number } {
  const { port, hostname } = new URL(origin);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) };
}

/** Whether a server there wants TLS. */
export function speaksTls(origin: string, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectSecurely({ ...addressOf(origin), rejectUnauthorized: false });
    const end = (speaks: boolean) => {
      socket.destroy();
      resolve(speaks);
    };
    socket.once('secureConnect', () => end(true));
    socket.once('error', () => end(false));
    socket.setTimeout(TLS_MS, () => end(false));
    signal.addEventListener('abort', () => end(false), { once: true });
  });
}

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
  return new Promise((resolve) => {
    const socket = connect(addressOf(origin));
    let text = '';
    const end = (all: boolean) => {
      socket.destroy();
      resolve(all);
    };
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (text.split('HTTP/1.1 ').length > AT_ONCE) end(true);
    });
    socket.once('error', () => end(false));
    socket.once('close', () => end(false));
    const timer = setTimeout(() => end(false), AT_ONCE_MS);
    socket.once('close', () => clearTimeout(timer));
    signal.addEventListener('abort', () => end(false), { once: true });
    socket.write(Buffer.concat(Array.from({ length: AT_ONCE }, () => request)));
  });
}
