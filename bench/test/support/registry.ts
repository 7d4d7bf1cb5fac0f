import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether the user's npm can download packages; ask before `ownPlace`, which changes the home folder. */
export function isRegistryWithinReach(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'oh-npm-'));
  const args = ['pack', 'express', '--prefer-online', '--fetch-retries=0', '--fetch-timeout=5000'];
  try {
    execFileSync('npm', args, { cwd: folder, stdio: 'ignore', timeout: 20_000 });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The variables of the test's own environment with these names. */
function inherited(names: RegExp): Record<string, string> {
  const all = Object.entries(process.env).flatMap(([name, value]) => {
    return names.test(name) && value ? [[name, value]] : [];
  });
  return Object.fromEntries(all);
}

/** Makes npm in an `ownPlace` use the user's configuration and cache; ask before that changes the home folder. */
function registryEnvironment(): Record<string, string> {
  return {
    npm_config_userconfig: join(homedir(), '.npmrc'),
    npm_config_cache: join(homedir(), '.npm'),
    XDG_CACHE_HOME: join(homedir(), '.cache'),
    ...inherited(/^(NODE_EXTRA_CA_CERTS|npm_config_userconfig|XDG_CACHE_HOME)$/),
  };
}

/** The same, with the caches of Go. */
export function callersEnvironment(): Record<string, string> {
  return {
    ...registryEnvironment(),
    GOCACHE: join(homedir(), '.cache/go-build'),
    GOPATH: join(homedir(), 'go'),
    ...inherited(/^GO[A-Z]+$/),
  };
}
