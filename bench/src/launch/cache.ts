import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf, messageOf, UserError } from '../base/errors.ts';
import { isAlive } from '../system/processes.ts';

/** Renaming onto a folder that is there. */
const IS_THERE = ['ENOTEMPTY', 'EEXIST'];
/** What the system says where a folder can't be written. */
const UNWRITABLE = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOTDIR', 'EEXIST'];

/**
 * A folder of the cache, made where it is not there yet: it is whole or it is not there, whoever else
 * makes it at the same time, and nothing is left where making it fails.
 * @throws what `make` does; UserError where nothing can be written.
 */
export async function cached(
  folder: string,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  if (existsSync(folder)) return folder;
  const partial = `${folder}${PARTIAL}${process.pid}`;
  try {
    mkdirSync(dirname(folder), { recursive: true });
    removeAbandoned(dirname(folder));
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial);
    await make(partial);
    renameSync(partial, folder);
    return folder;
  } catch (cause) {
    const code = codeOf(cause) ?? '';
    if (IS_THERE.includes(code) && existsSync(folder)) return folder;
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

const PARTIAL = '.part-';

/** What processes that were killed meanwhile have left. */
function removeAbandoned(folder: string): void {
  for (const name of readdirSync(folder)) {
    const maker = Number(name.split(PARTIAL)[1] ?? Number.NaN);
    if (!Number.isInteger(maker) || isAlive(maker)) continue;
    rmSync(join(folder, name), { recursive: true, force: true });
  }
}
