/** Folders as one piece, which `unpack.mjs` writes again. */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { placeDependencies } from './dependencies.ts';

/** Written once a run, or of no use elsewhere. */
const LEFT_OUT = new Set(['node_modules', '.git', 'results']);

/** What Node runs of no package: types, TypeScript, source maps, and what is for readers. */
const UNUSED = /\.(?:[cm]?ts|map|md)$/;

/** A file of an archive, or a link; contents follow each other in the order of the entries. */
type Entry = { path: string; mode: number; bytes: number } | { path: string; link: string };

/** A folder of this machine, and its place in the archive. */
export interface Packed {
  from: string;
  to: string;
  /** What of it goes along; all where it is not said. */
  only?: readonly string[];
}

/** These folders, each with what it depends on. @throws where one can't be read. */
export function pack(folders: readonly Packed[]): Buffer {
  const entries: Entry[] = [];
  const contents: Buffer[] = [];
  const add = (
    from: string,
    to: string,
    isOwn: boolean,
    names: readonly string[] = readdirSync(from),
  ) => {
    for (const name of names) {
      if (LEFT_OUT.has(name) || (!isOwn && UNUSED.test(name))) continue;
      const [file, path] = [join(from, name), join(to, name)];
      const found = lstatSync(file);
      if (found.isDirectory()) add(file, path, isOwn);
      else if (found.isSymbolicLink()) entries.push({ path, link: readlinkSync(file) });
      else if (found.isFile()) {
        const content = readFileSync(file);
        entries.push({ path, mode: found.mode & 0o777, bytes: content.length });
        contents.push(content);
      }
    }
  };
  for (const { from, to, only } of folders) {
    add(from, to, true, only);
    for (const each of placeDependencies(from)) add(each.from, join(to, each.to), false);
  }
  const head = Buffer.from(`${JSON.stringify(entries)}\n`);
  return gzipSync(Buffer.concat([head, ...contents]), { level: 1 });
}
