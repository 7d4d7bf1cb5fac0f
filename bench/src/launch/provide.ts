/** Fetches what `--runtime` and `--with` ask for. */
import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { execa } from 'execa';
import { UserError } from '../base/errors.ts';
import { installedVersion } from '../system/packages.ts';
import { type Change, manifestOf, npmSpec } from '../targets/changes.ts';
import { type AskedRuntime, type LocalRuntime, runtimeName } from '../targets/runtime.ts';
import type { LocalTarget } from '../targets/targets.ts';
import { cached, type DownloadContext, hashOf, INSTALLED } from './cache.ts';
import { installInto, NoRegistry, newestOf, newestVersion } from './npm.ts';

/** These runtimes, from the cache or the npm registry. @throws UserError if one can't be fetched or does not run. */
export async function provideRuntimes(
  asked: readonly AskedRuntime[],
  context: DownloadContext,
): Promise<LocalRuntime[]> {
  const byName = new Map<string, LocalRuntime>();
  for (const each of asked) {
    const runtime = { kind: each.kind, version: await versionOf(each, context) };
    const name = runtimeName(runtime);
    const [installed, file] = PROGRAMS[each.kind];
    const localIn = (folder: string): LocalRuntime => {
      return { ...runtime, program: join(folder, 'node_modules', installed, file) };
    };
    const folder = join(context.cache, 'runtimes', `${runtime.kind}-${runtime.version}`);
    await cached(folder, async (partial) => {
      context.say(`Fetching ${name} from the npm registry.`);
      const dependencies = { [installed]: runtime.version };
      await installInto(partial, { dependencies }, name, context.signal);
      await checkVersion(localIn(partial));
    });
    await checkVersion(localIn(folder));
    byName.set(name, localIn(folder));
  }
  return [...byName.values()];
}

/** The version to use: a full one that is cached, or else the newest in the registry, or without that in the cache. */
async function versionOf(asked: AskedRuntime, context: DownloadContext): Promise<string> {
  const { kind, version } = asked;
  const folder = join(context.cache, 'runtimes');
  const there = (existsSync(folder) ? readdirSync(folder) : [])
    .flatMap((name) => new RegExp(`^${kind}-(\\d+(?:\\.\\d+)*)$`).exec(name)?.[1] ?? [])
    .filter((each) => version === null || `${each}.`.startsWith(`${version}.`));
  if (version !== null && there.includes(version)) return version;
  if (!KNOWN.includes(HERE)) {
    throw new UserError(
      `no package of ${runtimeName({ kind, version: null })} is known for ${HERE}`,
      'Leave it out of --runtime.',
    );
  }
  const what = `${runtimeName(asked)} for ${HERE}`;
  try {
    const [name] = PROGRAMS[kind];
    return await newestVersion(name, version ?? 'latest', what, context.signal);
  } catch (error) {
    const newest = newestOf(there);
    if (error instanceof NoRegistry && newest !== null) return newest;
    throw error;
  }
}

const { platform, arch } = process;
const HERE = `${platform} ${arch}`;
const KNOWN = ['linux x64', 'linux arm64', 'darwin x64', 'darwin arm64'];
/** The packages that contain the programs, for glibc, and the programs' paths in them. */
const PROGRAMS: Record<AskedRuntime['kind'], [installed: string, file: string]> = {
  node: [`node-${HERE === 'darwin arm64' ? 'bin-' : ''}${platform}-${arch}`, 'bin/node'],
  bun: [`@oven/bun-${platform}-${arch === 'arm64' ? 'aarch64' : arch}`, 'bin/bun'],
  deno: [`@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}`, 'deno'],
};

/** @throws UserError if a program does not run or has another version. */
async function checkVersion({ program, ...runtime }: LocalRuntime): Promise<void> {
  const how = { reject: false, extendEnv: false, stdin: 'ignore' } as const;
  const { stdout, stderr, shortMessage, failed } = await execa(program, ['--version'], how);
  const found = /\d+(?:\.\d+)+/.exec(stdout)?.[0];
  if (!failed && found === runtime.version) return;
  const why = failed ? stderr || shortMessage : `it reports version ${found}`;
  throw new UserError(
    `${runtimeName(runtime)} does not run here: ${why?.split('\n')[0]}`,
    `Leave it out of --runtime, or remove ${program} if it is damaged.`,
  );
}

/** A target with a dependency changed, as a copy in the cache. @throws UserError if that version can't be installed. */
export async function provideVariant(change: Change, { cache, signal, say }: DownloadContext) {
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
