/** Hashes of the content of files and folders, which identify copies in the cache. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Folders that package managers and git create. */
export const INSTALLED: ReadonlySet<string> = new Set(['node_modules', '.git']);

/** Enough to make collisions unlikely. */
const DIGITS = 16;

/** A hash of a text and of these files and folders, by their content and without what is installed there. */
export function hashOf(text: string, paths: readonly string[] = []): string {
  const hash = createHash('sha256').update(text);
  for (const { name, content } of paths.flatMap((path) => filesAt(path))) {
    hash.update(JSON.stringify([name, content.length])).update(content);
  }
  return hash.digest('hex').slice(0, DIGITS);
}

/** The file at a path, or all files of the folder there, by their names below it. `above` are the folders around it. */
function filesAt(
  path: string,
  name = '',
  above: readonly string[] = [],
): { name: string; content: Buffer }[] {
  const found = statSync(path);
  if (found.isFile()) return [{ name, content: readFileSync(path) }];
  const folder = realpathSync(path);
  // A link may lead back to a folder that it is in.
  if (!found.isDirectory() || above.includes(folder)) return [];
  return readdirSync(path)
    .filter((each) => !INSTALLED.has(each) && existsSync(join(path, each)))
    .sort()
    .flatMap((each) => filesAt(join(path, each), `${name}/${each}`, [...above, folder]));
}
