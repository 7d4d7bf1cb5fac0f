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

/** Makes npm and Go in an `ownPlace` use the user's caches; ask before that changes the home folder. */
export function callersEnvironment(): Record<string, string> {
  const given = /^(NODE_EXTRA_CA_CERTS|npm_config_userconfig|XDG_CACHE_HOME|GO[A-Z]+)$/;
  const inherited = Object.entries(process.env).flatMap(([name, value]) => {
    return given.test(name) && value ? [[name, value]] : [];
  });
  return {
    npm_config_userconfig: join(homedir(), '.npmrc'),
    npm_config_cache: join(homedir(), '.npm'),
    XDG_CACHE_HOME: join(homedir(), '.cache'),
    GOCACHE: join(homedir(), '.cache/go-build'),
    GOPATH: join(homedir(), 'go'),
    ...Object.fromEntries(inherited),
  };
}
