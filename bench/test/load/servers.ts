/** Servers within the test's own process, which counts what the generator can't know; orders for them. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { z } from 'zod';
import { HOST } from '../../src/launch/server.ts';
import type { ClosedOrder, OpenOrder } from '../../src/load/protocol.ts';
import { declaredOnly, type ExpectedExchange, textExchange } from '../../src/targets/exchange.ts';
import { eventually } from '../support/processes.ts';

export interface LocalServer extends AsyncDisposable {
  readonly origin: string;
  readonly port: number;
  /** Requests that reached it. */
  readonly requests: number;
  /** Connections, each with the moment of its first answer, ms; null before that. */
  readonly connections: Map<Socket, { firstAnswerMs: number | null }>;
}

export const BODY = 'Hello World!';

/** Serves with this handler until it is disposed of. */
export async function serveHere(
  handle: (response: ServerResponse, request: IncomingMessage) => void,
): Promise<LocalServer> {
  let requests = 0;
  const connections: LocalServer['connections'] = new Map();
  const server = createServer((request, response) => {
    requests++;
    response.once('finish', () => {
      const connection = connections.get(request.socket);
      if (connection) connection.firstAnswerMs ??= performance.now();
    });
    handle(response, request);
  });
  server.on('connection', (socket) => connections.set(socket, { firstAnswerMs: null }));
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  const { port } = addressOf(server.address());
  return {
    origin: `http://${HOST}:${port}`,
    port,
    get requests() {
      return requests;
    },
    connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A server in a process of its own that stalls for 1 s, once, so long after its first request. */
export async function startStalling(afterMs: number) {
  const script = join(import.meta.dirname, 'stalling-server.ts');
  const child = execa(process.execPath, [script, String(afterMs)], {
    stderr: 'inherit',
    reject: false,
  });
  const { value } = await child.iterable()[Symbol.asyncIterator]().next();
  return {
    origin: `http://${HOST}:${z.coerce.number().int().positive().parse(value)}`,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await child;
    },
  };
}

/** Waits until a load is on this server. */
export async function untilLoaded(server: LocalServer): Promise<void> {
  expect(await eventually(() => server.requests > 10, 20_000)).toBe(true);
}

/** An order for a short slice of a closed loop of ten connections, unless told otherwise. */
export function closedOrder(origin: string, changes: Partial<ClosedOrder> = {}): ClosedOrder {
  return {
    kind: 'closed',
    ...sharedOf(origin),
    connections: 10,
    pipelining: 1,
    window: { ns: 0.2e9 },
    opening: ALL_ANSWERED,
    quietCapNs: 0,
    turnNs: null,
    wholeRounds: false,
    ...changes,
  };
}

/** The usual opening of a closed order's window. */
export const ALL_ANSWERED = { when: 'all answered', capNs: 10e9, settleNs: 0, batch: 200 } as const;

/** An order for a short slice at a rate, unless told otherwise. */
export function openOrder(origin: string, changes: Partial<OpenOrder> = {}): OpenOrder {
  return {
    kind: 'open',
    ...sharedOf(origin),
    driver: 'pacer',
    ratePerS: 200,
    connections: 100,
    leastConnections: 1,
    window: { ns: 0.5e9 },
    neverSleep: false,
    ...changes,
  };
}

/** That this is answered to a plain request, of this path and weight. */
export function agreed(body: string, path = '/', weight = 1): ExpectedExchange {
  const exchange = textExchange({ method: 'GET', path }, { status: 200, headers: {}, body });
  return { ...declaredOnly(exchange), weight };
}

function sharedOf(origin: string) {
  return {
    origin,
    requests: [agreed(BODY)],
    timeoutNs: 10e9,
    drainCapNs: 2e9,
    idleNsPerS: 0,
    group: null,
    firstThreadOf: null,
    pids: { server: [process.pid], manager: [], harness: [], services: {} },
  };
}

/** The bytes of one response, head and body, as a bare socket reads them. */
export async function bytesOfResponse(port: number): Promise<number> {
  const socket = connect(port, HOST);
  socket.write(`GET / HTTP/1.1\r\nHost: ${HOST}:${port}\r\nConnection: keep-alive\r\n\r\n`);
  // Without the end of the stream: the server keeps the connection open.
  const chunks: Buffer[] = [];
  for await (const chunk of socket) {
    chunks.push(Buffer.from(chunk));
    if (Buffer.concat(chunks).toString().endsWith(BODY)) break;
  }
  socket.destroy();
  return Buffer.concat(chunks).length;
}

/** A port on which nobody listens. */
export async function closedPort(): Promise<number> {
  const server = await serveHere(() => {});
  await server[Symbol.asyncDispose]();
  return server.port;
}

function addressOf(address: string | AddressInfo | null): AddressInfo {
  if (typeof address === 'object' && address !== null) return address;
  throw new Error('the server has no port');
}
