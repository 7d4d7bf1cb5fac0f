import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { SRC } from '../base/places.ts';
import { LEASE_S, overSsh } from '../system/ssh.ts';

/** A program to run on another machine. */
export interface RemoteProgram {
  /** As `pack` makes it. */
  archive: Buffer;
  /** Its file in the archive. */
  program: string;
  args: readonly string[];
  /** Added to the environment that it has there. */
  environment: Record<string, string>;
}

/**
 * Runs a program on another machine, over ssh. Its stderr goes to that of this process; disposing of it ends it, with
 * everything that it has started.
 */
export function startOnHost(host: string, { archive, ...head }: RemoteProgram) {
  const read = (name: string) => readFileSync(join(SRC, 'launch', name), 'utf8');
  const command = ['sh', '-c', read('on-host.sh'), 'sh', read('unpack.mjs'), String(LEASE_S)];
  const [file, args] = overSsh(host, command);
  // Detached, so that Ctrl-C in a terminal reaches the harness alone.
  const options = { detached: true, stderr: 'inherit', buffer: false, reject: false } as const;
  const child = execa(file, args, options);
  // Its end says why nothing can be sent any more.
  child.stdin.on('error', () => {});
  child.stdin.write(framed(head, archive));
  return {
    /** What it prints. */
    output: child.stdout,
    /** Sends it a line. It ends where nothing comes for as long as the lease. */
    send: (line: string) => void child.stdin.write(line),
    /** How it failed, or how the connection did; null where all went well. */
    ended: child.then(({ failed, exitCode, signal }) => {
      if (!failed) return null;
      // ssh has said on stderr why it could not connect, or lost the connection.
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

/** What `unpack.mjs` reads: the length of the head in ten characters, the head, and the archive. */
export function framed(head: Omit<RemoteProgram, 'archive'>, archive: Buffer): Buffer {
  const text = Buffer.from(JSON.stringify({ ...head, bytes: archive.length }));
  return Buffer.concat([Buffer.from(String(text.length).padStart(10)), text, archive]);
}
