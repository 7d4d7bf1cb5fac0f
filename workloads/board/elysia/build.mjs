// Installs what the workload needs, and makes one program of the server, as Elysia's guide has it for
// production; Bun is in it. Run from the folder of a server.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

await import('../../install.mjs');

const system = process.platform === 'win32' ? 'windows' : process.platform;
const cores = process.arch === 'arm64' ? 'aarch64' : process.arch;
const minified = ['--minify-whitespace', '--minify-syntax'];
const args = [
  'build',
  'main.ts',
  '--compile',
  ...minified,
  '--target=bun',
  '--outfile=dist/server',
];
if (!process.exitCode) {
  // Of the version that the target's own package.json names.
  const { resolve } = createRequire(join(process.cwd(), 'package.json'));
  const bun = join(dirname(resolve(`@oven/bun-${system}-${cores}/package.json`)), 'bin/bun');
  const { status, error } = spawnSync(bun, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (error)
    throw new Error(`Bun does not run here, or there is none for ${system} ${cores}`, {
      cause: error,
    });
  process.exitCode = status ?? 1;
}
