import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { execa } from 'execa';
import { SRC } from '../base/places.ts';
import { LEASE_S, overSsh } from '../system/ssh.ts';

/** What runs on the other machine. */
export interface Program {
  /** As `pack` makes it. */
  archive: Buffer;
  /** Its file in the archive, and its arguments. */
  program: string;
  args: readonly string[];
  /** Added to what it has there. */
  environment: Record<string, string>;
}

/** A program on another machine; disposing of it ends it, with all that it has started. */
export interface OnHost extends AsyncDisposable {
  /** What it prints. */
  output: Readable;
  /** Tells it something; at least every fifth of the lease, or it ends. */
  send(line: string): void;
  /** How it ended, or why the connection did; null where all went well. */
  ended: Promise<string | null>;
}

/** Runs a program on another machine, over ssh. What it says on stderr, this process says too. */
export function startOnHost(host: string, { archive, ...head }: Program): OnHost {
  const read = (name: string) => readFileSync(join(SRC, 'launch', name), 'utf8');
  const command = ['sh', '-c', read('on-host.sh'), 'sh', read('unpack.mjs'), String(LEASE_S)];
  const [file, args] = overSsh(host, command);
  const child = execa(file, args, {
    // Ctrl-C in a terminal is the harness's alone.
    ...{ detached: true, stderr: 'inherit', buffer: false, reject: false },
  });
  // Why it can't be told anything more, its end says.
  child.stdin.on('error', () => {});
  child.stdin.write(`${JSON.stringify({ ...head, bytes: archive.length })}\n`);
  child.stdin.write(archive);
  return {
    output: child.stdout,
    send: (line) => void child.stdin.write(line),
    ended: child.then(({ failed, exitCode, signal }) => {
      if (!failed) return null;
      // By its own account it could not connect, or the connection is gone.
      return exitCode === 255
        ? `the connection to ${host} is gone`
        : `what runs on ${host} ended with ${signal ?? `code ${exitCode}`}`;
    }),
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      await child;
    },
  };
}
