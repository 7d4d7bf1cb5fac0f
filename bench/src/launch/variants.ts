import { randomUUID } from 'node:crypto';
import { cpSync, existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { UserError } from '../base/errors.ts';
import { installedVersion } from '../system/packages.ts';
import { type Change, manifestOf, npmSpec } from '../targets/changes.ts';
import type { LocalTarget } from '../targets/targets.ts';
import { cached, type DownloadContext, hashOf, INSTALLED } from './cache.ts';
import { installInto, newestVersion } from './npm.ts';

/**
 * A target with another version of a dependency: a copy of its folder in the cache, with all else as in the original.
 * @throws UserError if there is no such version, npm can't install it, or the registry does not answer.
 */
export async function provideVariant(
  change: Change,
  { cache, signal, say }: DownloadContext,
): Promise<LocalTarget> {
  const { target, dependency } = change;
  const asked = `${dependency}@${change.version}`;
  const spec = npmSpec(change.version);
  const version = spec ?? (await newestVersion(dependency, change.version, asked, signal));
  const variant = variantOf(change, spec === null ? version : change.version);
  const manifest = changedManifest(change, version);
  const state = JSON.stringify(manifest) + (spec === null ? '' : stateOf(spec));
  const key = hashOf(state, [target.directory]);
  const directory = join(cache, 'variants', `${variant.name}-${key}`);
  await cached(directory, async (partial) => {
    const what = `${target.name} with ${variant.variant}`;
    say(`Installing ${what}.`);
    const filter = (path: string) => {
      const parts = relative(target.directory, path).split(sep);
      return !parts.some((part) => INSTALLED.has(part));
    };
    cpSync(target.directory, partial, { recursive: true, filter });
    await installInto(partial, manifest, what, signal);
  });
  return { ...variant, directory };
}

/** The target as a variant, still in its own folder. */
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

/** The manifest of the copy. Changes an indirect dependency by an override. */
function changedManifest({ target, dependency }: Change, version: string): object {
  const { dependencies, ...rest } = manifestOf(target);
  const isDirect = Object.hasOwn(dependencies, dependency);
  const pinned = Object.entries(dependencies).map(([name, range]) => {
    if (name === dependency) return [name, version];
    if (/^(workspace|file|link|portal):/.test(range)) {
      throw new UserError(
        `${target.name} depends on ${name} as ${range}, which a copy could not resolve`,
        'Use --with only for targets whose dependencies are all in the npm registry.',
      );
    }
    return [name, installedVersion(target.directory, name) ?? range];
  });
  const unneeded = { devDependencies: undefined, scripts: undefined };
  const overrides = isDirect ? {} : { overrides: { [dependency]: version } };
  return { ...rest, dependencies: Object.fromEntries(pinned), ...overrides, ...unneeded };
}

/** A key for the content that npm finds at a place; a new one each time for a URL, whose content is unknown. */
function stateOf(spec: string): string {
  const path = spec.replace(/^file:/, '');
  if (path === spec) return randomUUID();
  if (!existsSync(path)) {
    throw new UserError(`--with: there is no ${path}`, 'Name a folder or a tarball.');
  }
  return hashOf('', [path]);
}
