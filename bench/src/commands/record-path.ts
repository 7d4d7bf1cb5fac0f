import { join, relative, resolve } from 'node:path';
import { RESULTS, standing } from '../base/places.ts';

/** Where a record goes: the file that was asked for, or `results/<time>-<name>.json`. */
export function recordPath(out: string | null, startedAt: Date, name: string): string {
  const time = startedAt.toISOString().slice(0, 19).replaceAll(':', '-');
  return out === null ? join(RESULTS, `${time}-${name}.json`) : resolve(standing(), out);
}

/** A path as the user would type it. */
export function asTyped(path: string): string {
  return relative(standing(), path);
}
