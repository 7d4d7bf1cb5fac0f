/** Packages as they are installed: which a folder depends on, where they are, and of which version. */
import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../base/json.ts';
import { textOf, unlessGone } from './proc-files.ts';

const dependencies = z.record(z.string(), z.string()).default({});

/** What a `package.json` says of versions. */
export const manifestSchema = z.object({
  dependencies,
  optionalDependencies: dependencies,
  version: z.string().default('unknown'),
});

/** What the `package.json` of a folder says; null where there is none that can be read. */
function readManifest(folder: string): z.infer<typeof manifestSchema> | null {
  return parseJson(textOf(join(folder, 'package.json')) ?? '', manifestSchema);
}

/** The names of the packages that a folder depends on itself. */
export function dependenciesOf(folder: string): string[] {
  const manifest = readManifest(folder);
  return Object.keys({ ...manifest?.dependencies, ...manifest?.optionalDependencies });
}

/** The version of a package that is installed for what is in this folder; null where it is not. */
export function installedVersion(folder: string, name: string): string | null {
  const installed = installedIn(folder, name);
  return installed === null ? null : (readManifest(installed)?.version ?? null);
}

/** Whether what is in this folder uses a package, itself or through others, as they are installed. */
export function usesPackage(folder: string, name: string): boolean {
  const folders = [folder, ...placeDependencies(folder).map(({ from }) => from)];
  return folders.some((each) => dependenciesOf(each).includes(name));
}

/** The folder of a package that is installed for what is in this folder; null where it is not. */
function installedIn(folder: string, name: string): string | null {
  // The name alone may be that of a module of Node's own.
  const file = `${name}/package.json`;
  const paths = createRequire(join(folder, 'package.json')).resolve.paths(file) ?? [];
  const found = paths.find((path) => existsSync(join(path, file)));
  return found === undefined ? null : realpathSync(join(found, name));
}

/** The folder of an installed package, and its place below the folder that depends on it. */
export interface PlacedPackage {
  from: string;
  to: string;
}

/**
 * Where all that a folder depends on would have to be below it, as `node_modules/a/node_modules/b`, so that each
 * package finds its own dependencies without links: at the top, or, a second version, below what needs it. What is not
 * installed is left out.
 */
export function placeDependencies(folder: string): PlacedPackage[] {
  const placed = new Map<string, string>();
  const waiting: PlacedPackage[] = [
    { from: unlessGone(() => realpathSync(folder), folder), to: '' },
  ];
  // Whoever is nearer to the folder comes first, so that nothing is found by chance that is placed later.
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    for (const name of dependenciesOf(next.from)) {
      const from = installedIn(next.from, name);
      if (from === null || foundFrom(next.to, name, placed) === from) continue;
      const top = join('node_modules', name);
      const to = placed.has(top) ? join(next.to, top) : top;
      placed.set(to, from);
      waiting.push({ from, to });
    }
  }
  return [...placed].map(([to, from]) => ({ from, to }));
}

/** What a package at this place finds under a name: below itself, or below a folder above it. */
function foundFrom(place: string, name: string, placed: ReadonlyMap<string, string>) {
  for (let above = place; ; above = dirname(above)) {
    const found = placed.get(join(above, 'node_modules', name));
    if (found !== undefined || above === '' || above === '.') return found;
  }
}
