/** Probes servers on plain sockets, below HTTP. */
import { once } from 'node:events';
import { connect, type NetConnectOpts } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { connect as connectSecurely } from 'node:tls';
import { codeOf } from '../base/errors.ts';
import { bytesOf, type Exchange } from '../targets/exchange.ts';

/** Codes of connections that fail because nobody listens, or because this machine has no such address. */
const NOBODY = ['ECONNREFUSED', 'EADDRNOTAVAIL', 'EAFNOSUPPORT', 'ENETUNREACH'];

/** Whether somebody accepts a connection there. @throws any other error of the connection. */
export async function accepts(host: string, port: number): Promise<boolean> {
  const socket = connect(port, host);
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    if (NOBODY.includes(codeOf(error) ?? '')) return false;
    throw error;
  } finally {
    socket.destroy();
  }
}

/** `http://host:port`. */
export function originOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The address of an origin; its port is 80 by default. */
export function addressOf(origin: string): { host: string; port: number } {
  const { port, hostname } = new URL(origin);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) };
}

const TLS_MS = 2000;

export async function speaksTls(origin: string, signal: AbortSignal): Promise<boolean> {
  const over = AbortSignal.any([signal, AbortSignal.timeout(TLS_MS)]);
  const socket = connectSecurely({ ...addressOf(origin), rejectUnauthorized: false });
  try {
    await once(socket, 'secureConnect', { signal: over });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Sends these bytes; whether what comes back is an answer at some point before the signal is aborted. */
export async function isAnswered(
  address: NetConnectOpts,
  bytes: string | Buffer,
  isAnswer: (received: Buffer) => boolean,
  over: AbortSignal,
): Promise<boolean> {
  const socket = addAbortSignal(over, connect(address));
  socket.write(bytes);
  const received: Buffer[] = [];
  try {
    for await (const chunk of socket) {
      received.push(chunk);
      if (isAnswer(Buffer.concat(received))) return true;
    }
  } catch {
    // Nobody listens, the connection fails, or it takes too long.
  }
  return false;
}

/** Requests to send at once. */
const PIPELINED = 5;
const PIPELINED_MS = 2000;

/** Whether a server answers several requests that are sent at once on one connection. */
export function answersPipelined(
  origin: string,
  { request: { method, path, headers, body } }: Exchange,
  signal: AbortSignal,
): Promise<boolean> {
  const { host } = new URL(origin);
  const bytes = body === null ? Buffer.alloc(0) : bytesOf(body);
  const length = body === null ? {} : { 'content-length': String(bytes.length) };
  const lines = Object.entries({ host, ...headers, ...length }).map((each) => each.join(': '));
  const head = Buffer.from([`${method} ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
  const request = Buffer.concat([head, bytes]);
  const requests = Buffer.concat(Array<Buffer>(PIPELINED).fill(request));
  const over = AbortSignal.any([signal, AbortSignal.timeout(PIPELINED_MS)]);
  const hasAll = (received: Buffer) => {
    return received.toString('latin1').split('HTTP/1.1 ').length > PIPELINED;
  };
  return isAnswered(addressOf(origin), requests, hasAll, over);
}
