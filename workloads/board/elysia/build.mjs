// Installs what the workload needs, and makes one program of the server, as Elysia's guide has it for
// production; Bun is in it.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

await import('../../install.mjs');

const system = process.platform === 'win32' ? 'windows' : process.platform;
const cores = process.arch === 'arm64' ? 'aarch64' : process.arch;
const bun = join('../node_modules/@oven', `bun-${system}-${cores}`, 'bin/bun');
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
  const { status, error } = spawnSync(bun, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (error)
    throw new Error(`Bun does not run here, or there is none for ${system} ${cores}`, {
      cause: error,
    });
  process.exitCode = status ?? 1;
}
