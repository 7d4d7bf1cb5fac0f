import { join, parse, relative } from 'node:path';
import { absolute, initialCwd, RESULTS } from '../base/places.ts';

/** The path of a record: the file that was asked for, or `results/<time>-<name>.json`. */
export function recordPath(out: string | undefined, startedAt: Date, name: string): string {
  const time = startedAt.toISOString().slice(0, 19).replaceAll(':', '-');
  return out === undefined ? join(RESULTS, `${time}-${name}.json`) : absolute(out);
}

/** The folder of a record, its name, and the file's ending: `run.json.gz` is the record `run`. */
export function partsOf(path: string): { folder: string; name: string; ending: string } {
  const { dir: folder, base } = parse(path);
  const { name } = parse(base.replace(/\.gz$/, ''));
  return { folder, name, ending: base.slice(name.length) };
}

/** A file beside this one, with a suffix to its name: `run-where.json` beside `run.json`. */
export function beside(path: string, suffix: string): string {
  const { folder, name, ending } = partsOf(path);
  return join(folder, `${name}${suffix}${ending}`);
}

/** A path as the user would type it. */
export function asTyped(path: string): string {
  return relative(initialCwd(), path);
}
