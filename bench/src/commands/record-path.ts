import { join } from 'node:path';
import { RESULTS } from '../base/places.ts';

/** Where a record goes: the file that was asked for, or `results/<time>-<name>.json`. */
export function recordPath(out: string | null, startedAt: Date, name: string): string {
  const time = startedAt.toISOString().slice(0, 19).replaceAll(':', '-');
  return out ?? join(RESULTS, `${time}-${name}.json`);
}
