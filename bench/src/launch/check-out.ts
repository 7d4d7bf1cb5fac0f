/** The only file that knows git's command line, and those of package managers that install by a lock file. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { UserError } from '../base/errors.ts';
import { onPath } from '../system/on-path.ts';
import { readManifest } from '../targets/manifest.ts';
import type { Revision } from '../targets/named.ts';
import type { DownloadContext } from './download-context.ts';

/** A folder as it was at a revision, ready to be started; it goes when it is disposed of. */
export interface CheckedOut extends AsyncDisposable {
  folder: string;
}

/** Who installs by which lock file, and how. */
const MANAGERS = [
  { lock: 'pnpm-lock.yaml', program: 'pnpm', args: ['install', '--frozen-lockfile'] },
  { lock: 'package-lock.json', program: 'npm', args: ['ci'] },
  { lock: 'npm-shrinkwrap.json', program: 'npm', args: ['ci'] },
  { lock: 'yarn.lock', program: 'yarn', args: ['install', '--frozen-lockfile'] },
  { lock: 'bun.lock', program: 'bun', args: ['install', '--frozen-lockfile'] },
  { lock: 'bun.lockb', program: 'bun', args: ['install', '--frozen-lockfile'] },
] as const;
/** Where there is no lock file. */
const UNLOCKED = { program: 'npm', args: ['install', '--no-package-lock'] } as const;

/** Lines of what a failed command printed that are shown, the last ones. */
const SHOWN_LINES = 20;

const manifestSchema = z.object({
  dependencies: z.record(z.string(), z.string()).default({}),
  scripts: z.object({ build: z.string().optional() }).default({}),
  bench: z.object({ build: z.unknown() }).optional(),
});

/**
 * Writes a folder as it was at a revision, with all of its repository, into a temporary folder, installs it with the
 * lock file and the package manager that it has, and builds it where its manifest says how. The repository, its index
 * and the working tree stay as they are.
 * @throws UserError for what is no revision, and for one that can't be installed or built.
 */
export async function checkOut(
  { folder, revision, label }: Revision,
  { signal, say }: Pick<DownloadContext, 'signal' | 'say'>,
): Promise<CheckedOut> {
  const run = runner(label, signal);
  const git = async (args: string[], cwd: string, env: Record<string, string> = {}) => {
    return (await run('git', args, cwd, env)).trim();
  };
  const root = await git(['rev-parse', '--show-toplevel'], folder);
  const prefix = await git(['rev-parse', '--show-prefix'], folder);
  const wanted = ['--verify', '--end-of-options', `${revision}^{commit}`];
  const commit = await git(['rev-parse', ...wanted], folder);
  const temporary = await mkdtemp(join(tmpdir(), 'overhead-revision-'));
  const remove = () => rm(temporary, { recursive: true, force: true });
  try {
    const tree = join(temporary, 'tree');
    const index = { GIT_INDEX_FILE: join(temporary, 'index') };
    await git(['read-tree', commit], root, index);
    await git(['checkout-index', '--all', `--prefix=${tree}/`], root, index);
    const own = join(tree, prefix);
    if (!existsSync(own))
      throw new UserError(`${label}: it was not there then`, 'Name another one.');
    say(`Installing ${label} (${commit.slice(0, 10)}).`);
    await install(own, tree, run);
    return { folder: own, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

type Run = ReturnType<typeof runner>;

async function install(folder: string, tree: string, run: Run): Promise<void> {
  const manifest = manifestSchema.parse(readManifest(folder) ?? {});
  const { manager, place } = managerOf(folder, tree);
  const { program, args } = manager ?? UNLOCKED;
  const command = onPath(program) ? [program] : ['npx', '--yes', program];
  const [file = program, ...first] = command;
  if (manager !== null || Object.keys(manifest.dependencies).length > 0) {
    await run(file, [...first, ...args], place);
  }
  if (manifest.scripts.build !== undefined && manifest.bench?.build === undefined) {
    await run(file, [...first, 'run', 'build'], folder);
  }
}

/** By the lock file that is nearest, from a folder upwards to the root of its repository. */
function managerOf(folder: string, tree: string) {
  for (let place = folder; ; place = dirname(place)) {
    const manager = MANAGERS.find(({ lock }) => existsSync(join(place, lock)));
    if (manager !== undefined) return { manager, place };
    if (place === tree || place === dirname(place)) return { manager: null, place: folder };
  }
}

/** Runs a program to its end, and returns what it printed. */
function runner(label: string, signal: AbortSignal) {
  return async (program: string, args: string[], cwd: string, env: Record<string, string> = {}) => {
    const result = await execa(program, args, {
      ...{ cwd, env, stdin: 'ignore', all: true, reject: false, cancelSignal: signal },
    });
    signal.throwIfAborted();
    if (!result.failed) return result.stdout;
    const said = result.all?.trim().split('\n').slice(-SHOWN_LINES) ?? [];
    throw new UserError(
      [`${label}: ${program} ${args[0]} failed: ${result.shortMessage}`, ...said].join('\n  '),
      `Try it by hand: \`${[program, ...args].join(' ')}\`.`,
    );
  };
}
