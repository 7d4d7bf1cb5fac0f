import { join, parse, relative, resolve } from 'node:path';
import { RESULTS, standing } from '../base/places.ts';

/** Where a record goes: the file that was asked for, or `results/<time>-<name>.json`. */
export function recordPath(out: string | null, startedAt: Date, name: string): string {
  const time = startedAt.toISOString().slice(0, 19).replaceAll(':', '-');
  return out === null ? join(RESULTS, `${time}-${name}.json`) : resolve(standing(), out);
}

/** Where a record is, its name, and how that ends: `run.json.gz` is the record `run`. */
export function partsOf(path: string): { folder: string; name: string; ending: string } {
  const { dir: folder, base } = parse(path);
  const { name } = parse(base.replace(/\.gz$/, ''));
  return { folder, name, ending: base.slice(name.length) };
}

/** A path as the user would type it. */
export function asTyped(path: string): string {
  return relative(standing(), path);
}
