/** Checks revisions out. The only file that knows the command lines of git and of package managers with lock files. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { UserError } from '../base/errors.ts';
import { temporaryFolder } from '../base/files.ts';
import { onPath } from '../system/on-path.ts';
import { dependenciesOf } from '../system/packages.ts';
import { readManifest } from '../targets/manifest.ts';
import type { Revision } from '../targets/named.ts';
import type { DownloadContext } from './cache.ts';

const INSTALL: Record<string, string> = {
  'pnpm-lock.yaml': 'pnpm install --frozen-lockfile',
  'package-lock.json': 'npm ci',
  'npm-shrinkwrap.json': 'npm ci',
  'yarn.lock': 'yarn install --frozen-lockfile',
  'bun.lock': 'bun install --frozen-lockfile',
  'bun.lockb': 'bun install --frozen-lockfile',
};
const INSTALL_UNLOCKED = 'npm install --no-package-lock';

const SHOWN_LOG_LINES = 20;

const manifestSchema = z.object({
  scripts: z.object({ build: z.string().optional() }).default({}),
  bench: z.object({ build: z.unknown() }).optional(),
});

/** Checks a revision out, installs and builds it. Disposal removes it. @throws UserError if any of that fails. */
export async function checkOut(
  { folder, revision, label }: Revision,
  { signal, say }: Pick<DownloadContext, 'signal' | 'say'>,
) {
  const run = runner(label, signal);
  const git = (args: string[], cwd = folder, env = {}) => run('git', args, cwd, env);
  const places = await git(['rev-parse', '--show-toplevel', '--show-prefix']);
  const [root = '', prefix = ''] = places.split('\n');
  const commit = await git(['rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`]);
  await using stack = new AsyncDisposableStack();
  const { path: temporary } = stack.use(await temporaryFolder('revision'));
  const tree = join(temporary, 'tree');
  // The repository, its own index and its working tree stay as they are.
  const index = { GIT_INDEX_FILE: join(temporary, 'index') };
  await git(['read-tree', commit], root, index);
  await git(['checkout-index', '--all', `--prefix=${tree}/`], root, index);
  const own = join(tree, prefix);
  if (!existsSync(own))
    throw new UserError(`${label}: the folder did not exist then`, 'Name another revision.');
  say(`Installing ${label} (${commit.slice(0, 10)}).`);
  await install(own, tree, run);
  const made = stack.move();
  return { folder: own, [Symbol.asyncDispose]: () => made.disposeAsync() };
}

type Run = ReturnType<typeof runner>;

async function install(folder: string, tree: string, run: Run): Promise<void> {
  const manifest = manifestSchema.parse(readManifest(folder) ?? {});
  const locked = lockedFolder(folder, tree);
  const [program = '', ...words] = (locked?.install ?? INSTALL_UNLOCKED).split(' ');
  const [file, ...first] = onPath(program) ? [program] : (['npx', '--yes', program] as const);
  if (locked !== null || dependenciesOf(folder).length > 0) {
    await run(file, [...first, ...words], locked?.place ?? folder);
  }
  if (manifest.scripts.build !== undefined && manifest.bench?.build === undefined) {
    await run(file, [...first, 'run', 'build'], folder);
  }
}

/** The nearest folder with a lock file, from this one up to the root of its repository, and how to install there. */
function lockedFolder(folder: string, tree: string): { place: string; install: string } | null {
  for (let place = folder; ; place = dirname(place)) {
    const lock = Object.keys(INSTALL).find((name) => existsSync(join(place, name)));
    const install = INSTALL[lock ?? ''];
    if (install !== undefined) return { place, install };
    if (place === tree || place === dirname(place)) return null;
  }
}

/** A function that runs a program to its end and returns what it printed. */
function runner(label: string, signal: AbortSignal) {
  return async (program: string, args: string[], cwd: string, env: Record<string, string> = {}) => {
    const options = { cwd, env, stdin: 'ignore', all: true, reject: false } as const;
    const result = await execa(program, args, { ...options, cancelSignal: signal });
    signal.throwIfAborted();
    if (!result.failed) return result.stdout.trim();
    const printed = result.all?.trim().split('\n').slice(-SHOWN_LOG_LINES) ?? [];
    throw new UserError(
      [`${label}: ${program} ${args[0]} failed: ${result.shortMessage}`, ...printed].join('\n  '),
      `Try it by hand: \`${[program, ...args].join(' ')}\`.`,
    );
  };
}
