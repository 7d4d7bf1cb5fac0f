/** Servers within the test's own process, which counts what the generator can't know. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { z } from 'zod';
import { HOST } from '../../src/launch/server.ts';
import { odd } from '../support/fixtures.ts';
import { listening } from '../support/listening.ts';
import { startProgram } from '../support/processes.ts';

export const BODY = 'Hello World!';

export type LocalServer = Awaited<ReturnType<typeof serveHere>>;

type Handle = (response: ServerResponse, request: IncomingMessage, count: number) => void;

const answer: Handle = (response) => void response.end(BODY);

/** Serves with this handler, which is told how many requests came before; by default each is answered with BODY. */
export async function serveHere(handle = answer) {
  let requests = 0;
  /** All that were ever made. */
  const connections = new Set<Socket>();
  const server = createServer((request, response) => handle(response, request, requests++));
  server.on('connection', (socket) => connections.add(socket));
  const port = await listening(server);
  return {
    origin: `http://${HOST}:${port}`,
    port,
    /** Those that reached it. */
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

/** Tells the handler of how many requests came before on the same connection. */
export function serveByConnection(handle: Handle) {
  const counts = new WeakMap<Socket, number>();
  return serveHere((response, request) => {
    const count = counts.get(request.socket) ?? 0;
    counts.set(request.socket, count + 1);
    handle(response, request, count);
  });
}

/** A server in a process of its own that is odd in this way, and prints its port first. */
export async function startOdd(way: string) {
  const [, ...args] = odd(way);
  const program = startProgram(process.execPath, ...args);
  const [printed] = await once(program.stdout, 'data');
  const port = z.coerce.number().int().positive().parse(String(printed));
  return { ...program, origin: `http://${HOST}:${port}` };
}

/** Where nobody listens. */
export async function closedOrigin(): Promise<string> {
  await using server = await serveHere(() => {});
  return server.origin;
}
