/** Servers as their `start` command runs them, and clients that send bytes as they are. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { HOST, programOf, serverEnvironment } from '../../src/launch/server.ts';
import { freePort } from '../../src/system/free-port.ts';
import { CAN_SEE_SOCKETS, foreignListeners } from '../../src/system/sockets.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';

export const REQUEST = `GET / HTTP/1.1\r\nhost: ${HOST}\r\nconnection: keep-alive\r\n\r\n`;
/** Long enough for what was written before to arrive on its own. */
const APART_MS = 30;
const ANSWER_MS = 10_000;
const CONNECT_TRIES = 500;
const CONNECT_POLL_MS = 20;

export interface RawServer extends AsyncDisposable {
  readonly port: number;
  readonly origin: string;
  /** Asks it to end, and says how it did. */
  end(signal: NodeJS.Signals): Promise<{ exitCode?: number }>;
}

/** A target's process on this port, and what it ended with and wrote. */
export function startProcess(target: LocalTarget, port: number) {
  return execa(programOf(target), target.start.slice(1), {
    cwd: target.directory,
    extendEnv: false,
    env: serverEnvironment(target, { address: HOST, port }),
    reject: false,
  });
}

/** Starts a target on a free port, and waits until it listens; on another one where somebody else was faster. */
export async function startRaw(target: LocalTarget): Promise<RawServer> {
  const server = await startOn(await freePort(HOST), target);
  if (!CAN_SEE_SOCKETS || foreignListeners(server.port, [server.pid]) === 0) return server;
  await server[Symbol.asyncDispose]();
  return await startRaw(target);
}

async function startOn(port: number, target: LocalTarget): Promise<RawServer & { pid: number }> {
  const child = startProcess(target, port);
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return await child;
  };
  const server = {
    port,
    pid: child.pid ?? 0,
    origin: `http://${HOST}:${port}`,
    end,
    [Symbol.asyncDispose]: async () => {
      await end('SIGKILL');
    },
  };
  try {
    (await connected(port)).destroy();
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
  return server;
}

/** A connection to this port, once somebody listens there. */
export async function connected(port: number): Promise<Socket> {
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

/**
 * All that comes back when these pieces are sent one after the other, until there are so many bytes
 * and a little longer, in case there are more; what does not come is not waited for for ever.
 */
export async function exchange(socket: Socket, pieces: string[], bytes: number): Promise<string> {
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
