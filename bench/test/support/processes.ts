/** Running processes as /proc shows them; Linux only, like the tests that use it. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { z } from 'zod';

/** The processes with this folder in their command line, environment or the path of their log; zombies have neither. */
export function processesOf(folder: string) {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).flatMap((pid) => {
    const command = textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
    const environment = textOf(`/proc/${pid}/environ`);
    const logs = [1, 2].map((fd) => linkOf(`/proc/${pid}/fd/${fd}`));
    const mentions = [command, environment, ...logs].some((text) => text.includes(folder));
    if (pid === process.pid || !mentions) return [];
    // Servers are given one.
    const port = /(?:^|\0)PORT=(\d+)/.exec(environment)?.[1];
    const directory = linkOf(`/proc/${pid}/cwd`);
    return [{ pid, command, directory, port: port === undefined ? null : Number(port) }];
  });
}

/** A field of /proc/PID/status; empty once the process is gone. */
export function statusOf(pid: number, field: string): string {
  return new RegExp(`^${field}:\\s*(\\S+)`, 'm').exec(textOf(`/proc/${pid}/status`))?.[1] ?? '';
}

/** The number of connections to the server on this port, or of listeners there. */
export function socketsOn(port: number, state: 'established' | 'listening'): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const code = state === 'established' ? '01' : '0A';
  return ['/proc/net/tcp', '/proc/net/tcp6']
    .flatMap((path) => textOf(path).split('\n'))
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[1]?.endsWith(local) && fields[3] === code).length;
}

/** A process of this program, which is killed when it goes out of scope. */
export function startProgram(program: string, ...args: string[]) {
  const child = execa(program, args, { reject: false });
  const { pid, stdout } = child;
  if (pid === undefined) throw new Error(`${program} did not start`);
  const end = async () => {
    child.kill('SIGKILL');
    await child;
  };
  return { pid, stdout, end, [Symbol.asyncDispose]: end };
}

/** Waits until a condition holds; returns false if it does not in time. */
export async function eventually(holds: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!holds()) {
    if (performance.now() > deadline) return false;
    await sleep(25);
  }
  return true;
}

/** The text of a file in /proc; empty if its process is gone or belongs to another user. */
function textOf(path: string): string {
  return unlessGone(() => readFileSync(path, 'latin1'));
}

function linkOf(path: string): string {
  return unlessGone(() => readlinkSync(path));
}

const GONE = z.object({ code: z.enum(['ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'EINVAL']) });

function unlessGone(read: () => string): string {
  try {
    return read();
  } catch (error) {
    if (GONE.safeParse(error).success) return '';
    throw error;
  }
}
