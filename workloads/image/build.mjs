// Builds a target of this workload, from its folder: installs what the lockfile says, makes the picture that
// all are asked for, and runs the command that it is given, if any.
import { spawnSync } from 'node:child_process';

await import('../install.mjs');
if (!process.exitCode) await import('./picture/make.ts');
const [program, ...args] = process.argv.slice(2);
if (!process.exitCode && program !== undefined) {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit' });
  if (error) throw error;
  process.exitCode = status ?? 1;
}
