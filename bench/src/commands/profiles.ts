import { join, resolve } from 'node:path';
import { standing } from '../base/places.ts';
import { saveText } from '../base/text-file.ts';
import type { RunEvents } from '../run/context.ts';

/** Keeps the profiles of a run in this folder, a file for each slice; nothing where there is none. */
export function keepProfiles(folder: string | null): RunEvents['onProfile'] {
  return async ({ cell, launch, round }, { profile }) => {
    if (folder === null) return;
    const name = `${cell.split('/')[0]}-${launch + 1}-${round + 1}.cpuprofile`;
    await saveText(join(resolve(standing(), folder), name), JSON.stringify(profile), 'profile');
  };
}
