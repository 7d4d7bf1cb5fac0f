// Builds a target of this workload, from its folder: installs what the lockfile says, makes the picture that
// all are asked for, and runs the command that it is given, if any; with --timed, the first time with nothing
// compiled before.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NOTE, note } from './built.mjs';

await import('../install.mjs');
if (!process.exitCode) await import('./picture/make.ts');
const given = process.argv.slice(2);
const [program, ...args] = given.filter((word) => word !== '--timed');
let { build } = existsSync(NOTE) ? JSON.parse(readFileSync(NOTE, 'utf8')) : {};
if (!process.exitCode && program !== undefined) {
  const isTimed = given.includes('--timed') && build === undefined;
  const cache = isTimed ? mkdtempSync(join(tmpdir(), 'image-build-')) : undefined;
  const startedMs = performance.now();
  try {
    const env = { ...process.env, ...(cache === undefined ? {} : { GOCACHE: cache }) };
    const { status, error } = spawnSync(program, args, { env, stdio: 'inherit' });
    if (error) throw error;
    process.exitCode = status ?? 1;
  } finally {
    if (cache !== undefined) rmSync(cache, { recursive: true, force: true });
  }
  if (isTimed) build = (performance.now() - startedMs) / 1000;
}
if (!process.exitCode) note(build);
