import { constants, existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from '../base/places.ts';
import { cached } from './cache.ts';
import { type Logged, runLogged } from './logged.ts';
import type { LaunchContext } from './server.ts';

/** Making it takes seconds, on a slow disk many. */
const MAKE_MS = 120_000;

/** How the folder of a service's data is made. */
export interface Making extends Pick<Logged, 'log' | 'directory' | 'environment'> {
  /** Unlike that of any other service, and of any other version of it. */
  name: string;
  /** The command that makes this folder. */
  commandFor(data: string): [string, ...string[]];
}

/** Why it could not be made. */
export type Failed = { message: string; logTail: string[] };

/**
 * Fills this folder with a service's fresh data: a copy of the template in the cache, which is made when
 * it is not there yet. Returns why not, or null.
 * @throws when the launch is aborted.
 */
export async function fillFresh(
  data: string,
  { name, commandFor, ...making }: Making,
  context: LaunchContext,
): Promise<Failed | null> {
  const template = join(cacheFolder(), name);
  if (existsSync(template)) {
    await copyData(template, data);
    return null;
  }
  const command = commandFor(data);
  const made = await runLogged(
    { command, cores: null, channel: false, ...making },
    MAKE_MS,
    context,
  );
  if (made.state === 'failed') return made;
  // A cache that can't be written costs seconds, and no run.
  await cached(template, (partial) => copyData(data, partial)).catch(() => {});
  return null;
}

/** Copies the data of a service that does not run. */
export async function copyData(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE });
}
