/** Packs folders, with what they depend on, into an archive that `unpack.mjs` unpacks. */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type PlacedPackage, placeDependencies } from '../system/packages.ts';

/** Written by each run, or of no use elsewhere. */
const LEFT_OUT = new Set(['node_modules', '.git', 'results']);

/** What Node never loads from a package: types, TypeScript, source maps, and texts for readers. */
const UNUSED = /\.(?:[cm]?ts|map|md)$/;

/** A file of an archive, or a link; the contents of files follow each other in the order of the entries. */
type Entry = { path: string; mode: number; bytes: number } | { path: string; link: string };

/** A folder of this machine, and its place in the archive. */
export interface PackedFolder extends PlacedPackage {
  /** The names of what is packed of it; all where it is not said. */
  only?: readonly string[];
}

/** An archive of these folders, each with what it depends on. @throws where one can't be read. */
export function pack(folders: readonly PackedFolder[]): Buffer {
  const entries: Entry[] = [];
  const contents: Buffer[] = [];
  const add = (
    { from, to, only = readdirSync(from) }: PackedFolder,
    isWanted: (name: string) => boolean,
  ) => {
    for (const name of only) {
      if (LEFT_OUT.has(name) || !isWanted(name)) continue;
      const [file, path] = [join(from, name), join(to, name)];
      const found = lstatSync(file);
      if (found.isDirectory()) add({ from: file, to: path }, isWanted);
      else if (found.isSymbolicLink()) entries.push({ path, link: readlinkSync(file) });
      else if (found.isFile()) {
        const content = readFileSync(file);
        entries.push({ path, mode: found.mode & 0o777, bytes: content.length });
        contents.push(content);
      }
    }
  };
  for (const folder of folders) {
    add(folder, () => true);
    for (const { from, to } of placeDependencies(folder.from)) {
      add({ from, to: join(folder.to, to) }, (name) => !UNUSED.test(name));
    }
  }
  const head = Buffer.from(`${JSON.stringify(entries)}\n`);
  return gzipSync(Buffer.concat([head, ...contents]), { level: 1 });
}
