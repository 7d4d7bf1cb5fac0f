/** Hashes of what files and folders hold, by which copies in the cache are told apart. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What package managers and git put into a folder. */
export const INSTALLED: ReadonlySet<string> = new Set(['node_modules', '.git']);

/** Long enough that no two are the same by chance. */
const DIGITS = 16;

/** A hash of a text and of the files and folders at these paths, wherever they are, without what is installed there. */
export function hashOf(text: string, paths: readonly string[] = []): string {
  const hash = createHash('sha256').update(text);
  for (const { name, content } of paths.flatMap((path) => filesAt(path))) {
    hash.update(JSON.stringify([name, content.length])).update(content);
  }
  return hash.digest('hex').slice(0, DIGITS);
}

/** The file at a path, or all files of the folder there; `above` are the folders that it is in. */
function filesAt(path: string, name = '', above: readonly string[] = []): NamedFile[] {
  const found = statSync(path);
  if (found.isFile()) return [{ name, content: readFileSync(path) }];
  const folder = realpathSync(path);
  // A link may lead back to where it is.
  if (!found.isDirectory() || above.includes(folder)) return [];
  const names = readdirSync(path).filter((each) => !INSTALLED.has(each));
  return names
    .sort()
    .filter((each) => existsSync(join(path, each)))
    .flatMap((each) => filesAt(join(path, each), `${name}/${each}`, [...above, folder]));
}

interface NamedFile {
  /** Below the path that was asked for. */
  name: string;
  content: Buffer;
}
