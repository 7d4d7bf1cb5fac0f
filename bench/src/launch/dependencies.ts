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
 * Where all that this folder depends on is to be, so that each finds its own: at the top, or a second version below who
 * needs it. What is not installed is left out.
 */
export function placeDependencies(folder: string): Placed[] {
  const placed = new Map<string, string>();
  const waiting: Placed[] = [{ from: realpathSync(folder), to: '' }];
  // Whoever is nearer to the folder comes first, so that nothing is found by chance that is placed later.
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    for (const name of dependenciesOf(next.from)) {
      const from = find(name, next.from);
      if (from === null || seenFrom(next.to, name, placed) === from) continue;
      const top = join('node_modules', name);
      const to = placed.has(top) ? join(next.to, top) : top;
      placed.set(to, from);
      waiting.push({ from, to });
    }
  }
  return [...placed].map(([to, from]) => ({ from, to }));
}

/** What a package at this place finds under a name: below itself, or below who is above it. */
function seenFrom(place: string, name: string, placed: ReadonlyMap<string, string>): string | null {
  for (let above = place; ; above = dirname(above)) {
    const found = placed.get(join(above, 'node_modules', name));
    if (found !== undefined || above === '' || above === '.') return found ?? null;
  }
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
