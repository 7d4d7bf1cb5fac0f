import { createHash, randomUUID } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { UserError } from '../base/errors.ts';
import { installedVersion } from '../system/machine.ts';
import { type Change, manifestOf, specOf } from '../targets/changes.ts';
import type { LocalTarget } from '../targets/targets.ts';
import { cached } from './cache.ts';
import type { DownloadContext } from './download-context.ts';
import { installInto, newestVersion } from './npm.ts';

/**
 * A target with another version of a dependency: a copy of its folder in the cache, in which all its
 * other dependencies are of the versions that the original has.
 * @throws UserError for a version that does not exist, a dependency that npm can't install, and where the
 * registry is not within reach.
 */
export async function provideVariant(
  change: Change,
  fetching: DownloadContext,
): Promise<LocalTarget> {
  const { target, dependency } = change;
  const { cache, signal, say } = fetching;
  const asked = `${dependency}@${change.version}`;
  const spec = specOf(change.version);
  const version = spec ?? (await newestVersion(dependency, change.version, asked, signal));
  const variant = variantOf(change, spec === null ? version : change.version);
  const manifest = changed(change, version);
  const key = contentOf(target.directory, JSON.stringify(manifest) + (spec ? stateOf(spec) : ''));
  const directory = join(cache, 'variants', `${variant.name}-${key}`);
  await cached(directory, async (partial) => {
    const what = `${target.name} with ${variant.variant}`;
    say(`Installing ${what}.`);
    const filter = (path: string) => !isInstalled(target.directory, path);
    cpSync(target.directory, partial, { recursive: true, filter });
    await installInto(partial, manifest, what, signal);
  });
  return { ...variant, directory };
}

/** The target with this version of the dependency, where the target itself is. */
export function variantOf({ target, dependency }: Change, version: string): LocalTarget {
  const what = `${dependency.replaceAll('@', '').replaceAll('/', '-')}-${version}`;
  return {
    ...target,
    name: `${target.name}+${what.replaceAll(/[^\w.+-]+/g, '-')}`,
    label: `${target.label} (${dependency} ${version})`,
    variantOf: target.name,
    variant: `${dependency} ${version}`,
  };
}

/** The manifest of the copy: what was measured before, but for one version, of what others depend on by an override. */
function changed({ target, dependency }: Change, version: string): object {
  const { dependencies, ...rest } = manifestOf(target);
  const isDirect = Object.hasOwn(dependencies, dependency);
  const pinned = Object.entries(dependencies).map(([name, range]) => {
    if (name === dependency) return [name, version];
    if (/^(workspace|file|link|portal):/.test(range)) {
      throw new UserError(
        `${target.name} depends on ${name} as ${range}, which a copy of it can't`,
        'Measure it with --with only where all its dependencies are in the npm registry.',
      );
    }
    return [name, installedVersion(target.directory, name) ?? range];
  });
  const unneeded = { devDependencies: undefined, scripts: undefined };
  const overrides = isDirect ? {} : { overrides: { [dependency]: version } };
  return { ...rest, dependencies: Object.fromEntries(pinned), ...overrides, ...unneeded };
}

/** Whether something in a folder is what package managers, or git, put there. */
function isInstalled(folder: string, path: string): boolean {
  return relative(folder, path)
    .split(sep)
    .some((part) => part === 'node_modules' || part === '.git');
}

/** What decides what npm finds at such a place: the content of a folder or a file; of an address nobody knows. */
function stateOf(spec: string): string {
  const path = spec.replace(/^file:/, '');
  if (path === spec) return randomUUID();
  if (!existsSync(path)) {
    throw new UserError(`--with: there is no ${path}`, 'Name a folder or a tarball.');
  }
  return statSync(path).isDirectory() ? contentOf(path, '') : contentOfFile(path);
}

function contentOfFile(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

const KEY_DIGITS = 12;

/** What a folder holds, but for what is installed in it, and something beside it, in a few digits. */
function contentOf(folder: string, beside: string): string {
  const hash = createHash('sha256').update(beside);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !isInstalled(folder, path))
    .sort();
  for (const path of files) {
    hash.update(`\0${path.slice(folder.length)}\0`).update(readFileSync(path));
  }
  return hash.digest('hex').slice(0, KEY_DIGITS);
}
