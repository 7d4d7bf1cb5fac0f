import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../base/json.ts';
import { textOf, unlessGone } from './proc-files.ts';

const dependencies = z.record(z.string(), z.string()).default({});

const manifestSchema = z.object({
  dependencies,
  optionalDependencies: dependencies,
  version: z.string().default('unknown'),
});

/** The `package.json` of a folder; null if it can't be read. */
function readManifest(folder: string): z.infer<typeof manifestSchema> | null {
  return parseJson(textOf(join(folder, 'package.json')) ?? '', manifestSchema);
}

/** The names of a folder's direct dependencies. */
export function dependenciesOf(folder: string): string[] {
  const manifest = readManifest(folder);
  return Object.keys({ ...manifest?.dependencies, ...manifest?.optionalDependencies });
}

/** The version of a package that is installed for a folder; null if it is not. */
export function installedVersion(folder: string, name: string): string | null {
  const installed = installedIn(folder, name);
  return installed === null ? null : (readManifest(installed)?.version ?? null);
}

/** Whether a folder depends on a package, directly or through other installed packages. */
export function usesPackage(folder: string, name: string): boolean {
  const folders = [folder, ...placeDependencies(folder).map(({ from }) => from)];
  return folders.some((each) => dependenciesOf(each).includes(name));
}

/** The folder of a package that is installed for another folder; null if it is not. */
function installedIn(folder: string, name: string): string | null {
  // The name alone may be that of a built-in module.
  const file = `${name}/package.json`;
  const paths = createRequire(join(folder, 'package.json')).resolve.paths(file) ?? [];
  const found = paths.find((path) => existsSync(join(path, file)));
  return found === undefined ? null : realpathSync(join(found, name));
}

/** The folder of an installed package, and its path below the folder that depends on it. */
export interface PlacedPackage {
  from: string;
  to: string;
}

/** Where to copy the installed dependencies of a folder, so that each package finds its own versions without links. */
export function placeDependencies(folder: string): PlacedPackage[] {
  const placed = new Map<string, string>();
  const waiting = [{ from: unlessGone(() => realpathSync(folder), folder), to: '' }];
  // Breadth first, so that no package finds a version by chance that is placed later.
  for (const next of waiting) {
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

/** The package that one at this place finds by a name, below itself or below a folder above it. */
function foundFrom(place: string, name: string, placed: ReadonlyMap<string, string>) {
  for (let above = place; ; above = dirname(above)) {
    const found = placed.get(join(above, 'node_modules', name));
    if (found !== undefined || above === '' || above === '.') return found;
  }
}
