// Installs what the lockfile of a workload says into its folder, where that is not what is there. Run from
// one of its targets, as part of its build: `node ../../install.mjs`.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const folder = join(process.cwd(), '..');
const modules = join(folder, 'node_modules');
/** What is installed, as a hash of the lockfile that it was installed from. */
const stamp = join(modules, '.overhead-installed');
const lock = join(folder, '.installing');

const wanted = createHash('sha256')
  .update(readFileSync(join(folder, 'package-lock.json')))
  .digest('hex');

function isInstalled() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
}

/** Takes the lock, or waits while somebody else installs. */
async function takeLock() {
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (!isAlive(Number(readFileSync(lock, 'utf8')))) rmSync(lock, { force: true });
    await setTimeout(100);
  }
}

function isAlive(pid) {
  try {
    // 0 is not written yet, and asks about this process.
    return process.kill(pid, 0);
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

if (!isInstalled()) {
  await takeLock();
  try {
    if (!isInstalled()) {
      const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
      const { status, error } = spawnSync('npm', args, { cwd: folder, stdio: 'inherit' });
      if (error) throw error;
      if (status !== 0) process.exitCode = status ?? 1;
      else writeFileSync(stamp, wanted);
    }
  } finally {
    rmSync(lock, { force: true });
  }
}
