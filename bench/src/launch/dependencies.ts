/** What a package depends on, as it is installed, in a layout that needs no links. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { readManifest } from '../targets/manifest.ts';

const manifestSchema = z.object({
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});

/** A package that is installed, and its place below the folder that needs it, as `node_modules/a/node_modules/b`. */
export interface Placed {
  from: string;
  to: string;
}

/**
 * Where all that this folder depends on is to be, so that each finds its own: once at the top, and a second version
 * below who needs it. What is not installed is left out.
 */
export function placeDependencies(folder: string): Placed[] {
  const top = new Map<string, string>();
  const placed: Placed[] = [];
  const place = (from: string, to: string) => {
    for (const name of dependenciesOf(from)) {
      const found = find(name, from);
      const atTop = top.get(name);
      if (found === null || atTop === found) continue;
      const own = atTop === undefined ? join('node_modules', name) : join(to, 'node_modules', name);
      if (atTop === undefined) top.set(name, found);
      // One that needs itself, over others, has itself above it.
      else if (placed.some((each) => each.from === found && to.startsWith(dirname(each.to))))
        continue;
      placed.push({ from: found, to: own });
      place(found, own);
    }
  };
  place(realpathSync(folder), '');
  return placed;
}

function dependenciesOf(folder: string): string[] {
  const { dependencies, optionalDependencies } = manifestSchema.parse(readManifest(folder) ?? {});
  return Object.keys({ ...dependencies, ...optionalDependencies });
}

/** The folder of a package that is installed for this one: in it, or in a folder above; null where it is not. */
function find(name: string, folder: string): string | null {
  for (let place = folder; ; place = dirname(place)) {
    const found = join(place, 'node_modules', name);
    if (existsSync(join(found, 'package.json'))) return realpathSync(found);
    if (place === dirname(place)) return null;
  }
}
