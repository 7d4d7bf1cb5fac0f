/** Folders in the cache, and the hashes in their names. */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf, messageOf, UserError } from '../base/errors.ts';
import { isAlive } from '../system/processes.ts';

export interface DownloadContext {
  cache: string;
  /** Cancels the download, of which nothing is left then. */
  signal: AbortSignal;
  say: (text: string) => void;
}

/** Error codes of a rename onto a folder that exists. */
const EXISTS = ['ENOTEMPTY', 'EEXIST'];
/** Error codes of a folder that can't be written. */
const UNWRITABLE = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOTDIR', 'EEXIST'];
/** In the name of an unfinished folder, before the pid of its maker. */
const PARTIAL = '.part-';

/** A folder, made by `make` if it does not exist. @throws as `make`; UserError if the folder can't be written. */
export async function cached(folder: string, make: (folder: string) => Promise<void>) {
  if (existsSync(folder)) return folder;
  const parent = dirname(folder);
  const partial = `${folder}${PARTIAL}${process.pid}`;
  try {
    mkdirSync(parent, { recursive: true });
    // Remove what killed processes have left.
    for (const name of readdirSync(parent)) {
      const maker = Number(name.split(PARTIAL)[1] ?? Number.NaN);
      if (!Number.isInteger(maker) || isAlive(maker)) continue;
      rmSync(join(parent, name), { recursive: true, force: true });
    }
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial);
    await make(partial);
    // The folder is complete or absent, whatever happens.
    renameSync(partial, folder);
    return folder;
  } catch (cause) {
    const code = codeOf(cause) ?? '';
    // Another process has made it at the same time.
    if (EXISTS.includes(code) && existsSync(folder)) return folder;
    if (!UNWRITABLE.includes(code)) throw cause;
    throw new UserError(
      `can't write ${basename(folder)} to the cache: ${messageOf(cause)}`,
      'Set XDG_CACHE_HOME to a folder that can be written and has room.',
      { cause },
    );
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/** Folders that package managers and git create. */
export const INSTALLED: ReadonlySet<string> = new Set(['node_modules', '.git']);

/** Enough to make collisions unlikely. */
const DIGITS = 16;

/** A hash of a text and of these files and folders, by their content and without what is installed there. */
export function hashOf(text: string, paths: readonly string[] = []): string {
  const hash = createHash('sha256').update(text);
  const add = (path: string, name: string, above: readonly string[]) => {
    const found = statSync(path);
    if (found.isFile()) {
      const content = readFileSync(path);
      hash.update(JSON.stringify([name, content.length])).update(content);
    }
    const folder = realpathSync(path);
    // A link may lead back to a folder that it is in.
    if (!found.isDirectory() || above.includes(folder)) return;
    for (const each of readdirSync(path).sort()) {
      const inside = join(path, each);
      if (INSTALLED.has(each) || !existsSync(inside)) continue;
      add(inside, `${name}/${each}`, [...above, folder]);
    }
  };
  for (const path of paths) add(path, '', []);
  return hash.digest('hex').slice(0, DIGITS);
}
