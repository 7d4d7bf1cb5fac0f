/** Runs a program on another machine, and packs it and its dependencies into an archive for `unpack.mjs`. */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { execa } from 'execa';
import { SRC } from '../base/places.ts';
import { type PlacedPackage, placeDependencies } from '../system/packages.ts';
import { howEnded } from '../system/processes.ts';
import { LEASE_S, overSsh } from '../system/ssh.ts';

export interface RemoteProgram {
  archive: Buffer;
  /** Its path in the archive. */
  program: string;
  args: readonly string[];
  /** Added to the environment there. */
  environment: Record<string, string>;
}

/** Runs a program on another machine, over ssh, with our stderr. Disposing of it ends it and all that it started. */
export function startOnHost(host: string, { archive, ...head }: RemoteProgram) {
  const read = (name: string) => readFileSync(join(SRC, 'launch', name), 'utf8');
  const command = ['sh', '-c', read('on-host.sh'), 'sh', read('unpack.mjs'), String(LEASE_S)];
  const [file, args] = overSsh(host, command);
  // Detached, so that Ctrl-C in a terminal reaches only the harness.
  const options = { detached: true, stderr: 'inherit', buffer: false, reject: false } as const;
  const child = execa(file, args, options);
  // `ended` says why nothing can be sent any more.
  child.stdin.on('error', () => {});
  child.stdin.write(framed(head, archive));
  return {
    output: child.stdout,
    /** Sends it a line. It ends if it receives none for the duration of the lease. */
    send: (line: string) => void child.stdin.write(line),
    /** How it or the connection failed; null if neither did. */
    ended: child.then((result) => {
      if (!result.failed) return null;
      // ssh has said on stderr why it could not connect or lost the connection.
      return result.exitCode === 255
        ? `the connection to ${host} is gone`
        : `what runs on ${host} ended with ${howEnded(result)}`;
    }),
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      await child;
    },
  };
}

/** The input of `unpack.mjs`: the length of the head in ten characters, the head, and the archive. */
export function framed(head: Omit<RemoteProgram, 'archive'>, archive: Buffer): Buffer {
  const text = Buffer.from(JSON.stringify({ ...head, bytes: archive.length }));
  return Buffer.concat([Buffer.from(String(text.length).padStart(10)), text, archive]);
}

/** Installed there by us, written by each run, or useless elsewhere. */
const LEFT_OUT = new Set(['node_modules', '.git', 'results']);

/** Files of packages that Node never loads: types, TypeScript, source maps, documentation. */
const UNUSED = /\.(?:[cm]?ts|map|md)$/;

/** A file or a link in an archive. The contents of the files follow the entries, in the same order. */
type Entry = { path: string; mode: number; bytes: number } | { path: string; link: string };

/** A folder of this machine, and its path in the archive. */
export interface PackedFolder extends PlacedPackage {
  /** The names of the files and folders in it to pack; all by default. */
  only?: readonly string[];
}

/** An archive of these folders and their dependencies. @throws when a file can't be read. */
export function pack(folders: readonly PackedFolder[]): Buffer {
  const entries: Entry[] = [];
  const contents: Buffer[] = [];
  const add = ({ from, to, only = readdirSync(from) }: PackedFolder, unused?: RegExp) => {
    for (const name of only) {
      if (LEFT_OUT.has(name) || unused?.test(name)) continue;
      const [file, path] = [join(from, name), join(to, name)];
      const found = lstatSync(file);
      if (found.isDirectory()) add({ from: file, to: path }, unused);
      else if (found.isSymbolicLink()) entries.push({ path, link: readlinkSync(file) });
      else if (found.isFile()) {
        const content = readFileSync(file);
        entries.push({ path, mode: found.mode & 0o777, bytes: content.length });
        contents.push(content);
      }
    }
  };
  for (const folder of folders) {
    add(folder);
    for (const { from, to } of placeDependencies(folder.from)) {
      add({ from, to: join(folder.to, to) }, UNUSED);
    }
  }
  const head = Buffer.from(`${JSON.stringify(entries)}\n`);
  return gzipSync(Buffer.concat([head, ...contents]), { level: 1 });
}
