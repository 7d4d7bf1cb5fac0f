/** Servers run by their `start` command, and clients: one that compares answers, and one that sends raw bytes. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { HOST, programOf, serverEnvironment } from '../../src/launch/server.ts';
import { freePort } from '../../src/system/free-port.ts';
import { CAN_SEE_SOCKETS, foreignListeners } from '../../src/system/sockets.ts';
import { problemOf } from '../../src/targets/expectation.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import { exchangeOf } from './make-record.ts';

export const REQUEST = `GET / HTTP/1.1\r\nhost: ${HOST}\r\nconnection: keep-alive\r\n\r\n`;
/** Time between two writes, so that they arrive separately. */
const APART_MS = 30;
const ANSWER_MS = 10_000;
const CONNECT_TRIES = 500;
const CONNECT_POLL_MS = 20;

/** Runs a target's process on this port; resolves to its exit code and output. */
export function startProcess(target: LocalTarget, port: number) {
  return execa(programOf(target), target.start.slice(1), {
    cwd: target.directory,
    extendEnv: false,
    env: serverEnvironment(target, { address: HOST, port }),
    reject: false,
  });
}

/** A target that listens on a free port. Disposing of it kills it. */
export async function startRaw(target: LocalTarget) {
  while (true) {
    const port = await freePort(HOST);
    const child = startProcess(target, port);
    /** Sends a signal; resolves to how the process ended. */
    const end = async (signal: NodeJS.Signals): Promise<{ exitCode?: number }> => {
      child.kill(signal);
      return await child;
    };
    await using stack = new AsyncDisposableStack();
    stack.defer(async () => void (await end('SIGKILL')));
    (await connected(port)).destroy();
    // Another process took the port first.
    if (CAN_SEE_SOCKETS && foreignListeners(port, [child.pid ?? 0]) > 0) continue;
    const origin = `http://${HOST}:${port}`;
    const own = stack.move();
    return {
      ...{ port, origin, end },
      connect: () => connected(port),
      problem: () => problemAt(origin, target),
      /** Sends these pieces over a connection of their own, as `exchange` does. */
      answer: async (pieces: string[], bytes: number) => {
        return await exchange(await connected(port), pieces, bytes);
      },
      [Symbol.asyncDispose]: () => own.disposeAsync(),
    };
  }
}

/** How the first answer at this origin differs from the one that a target declares; null if it does not. */
export async function problemAt(origin: string, target: LocalTarget): Promise<string | null> {
  const { request, expect } = exchangeOf(target);
  const response = await fetch(origin + request.path, { method: request.method });
  const headers = Object.fromEntries(response.headers);
  const body = Buffer.from(await response.arrayBuffer());
  return problemOf({ status: response.status, headers, body }, expect);
}

/** Connects to this port as soon as somebody listens there. */
async function connected(port: number): Promise<Socket> {
  for (let attempt = 0; attempt < CONNECT_TRIES; attempt++) {
    const socket = connect({ port, host: HOST, noDelay: true });
    try {
      await once(socket, 'connect');
      return socket;
    } catch {
      await sleep(CONNECT_POLL_MS);
    }
  }
  throw new Error(`nobody listens on port ${port}`);
}

/** Sends these pieces separately; returns what comes until a little after so many bytes, or until the time is up. */
async function exchange(socket: Socket, pieces: string[], bytes: number): Promise<string> {
  let received = '';
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    received += text;
  });
  for (const piece of pieces) {
    socket.write(piece, 'latin1');
    await sleep(APART_MS);
  }
  const deadline = performance.now() + ANSWER_MS;
  while (received.length < bytes && performance.now() < deadline) await sleep(APART_MS);
  await sleep(APART_MS);
  socket.destroy();
  return received;
}
