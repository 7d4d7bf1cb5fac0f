import { homedir } from 'node:os';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { temporaryFolder } from './temporary-folder.ts';

/** Whether the user's npm can download packages; ask before `ownPlace`, which changes the home folder. */
export function isRegistryWithinReach(): boolean {
  using folder = temporaryFolder();
  const args = ['pack', 'express', '--prefer-online', '--fetch-retries=0', '--fetch-timeout=5000'];
  const options = { cwd: folder.path, stdio: 'ignore', timeout: 20_000, reject: false } as const;
  return execaSync('npm', args, options).exitCode === 0;
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
