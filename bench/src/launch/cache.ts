import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf, messageOf, UserError } from '../base/errors.ts';
import { isAlive } from '../system/processes.ts';

/** What everything that is downloaded needs to know. */
export interface DownloadContext {
  /** The folder of the cache. */
  cache: string;
  /** Aborted: give it up, and leave nothing of it behind. */
  signal: AbortSignal;
  /** Reports what takes a while. */
  say: (text: string) => void;
}

/** Codes of renaming onto a folder that exists. */
const EXISTS = ['ENOTEMPTY', 'EEXIST'];
/** Codes of a folder that can't be written. */
const UNWRITABLE = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOTDIR', 'EEXIST'];
/** Ends the name of a folder that is being made, before the pid of its maker. */
const PARTIAL = '.part-';

/**
 * A folder of the cache, made where it does not exist yet: it is whole or absent, whoever else
 * makes it at the same time, and nothing is left where making it fails.
 * @throws what `make` does; UserError where nothing can be written.
 */
export async function cached(
  folder: string,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  if (existsSync(folder)) return folder;
  const parent = dirname(folder);
  const partial = `${folder}${PARTIAL}${process.pid}`;
  try {
    mkdirSync(parent, { recursive: true });
    // What processes that were killed have left.
    for (const name of readdirSync(parent)) {
      const maker = Number(name.split(PARTIAL)[1] ?? Number.NaN);
      if (!Number.isInteger(maker) || isAlive(maker)) continue;
      rmSync(join(parent, name), { recursive: true, force: true });
    }
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial);
    await make(partial);
    renameSync(partial, folder);
    return folder;
  } catch (cause) {
    const code = codeOf(cause) ?? '';
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
