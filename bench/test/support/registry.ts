import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Whether npm's registry is within reach, with the packages themselves, as the caller's own npm is
 * configured; asked once, before a test file makes a place of its own.
 */
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

/**
 * What makes npm in a place of its own find the registry as the caller's does, and with it what the caller
 * has fetched already; asked before a test file makes that place.
 */
export function registryEnvironment(): Record<string, string> {
  const { HOME = '', npm_config_userconfig: own, XDG_CACHE_HOME: cache } = process.env;
  const { NODE_EXTRA_CA_CERTS: certificates } = process.env;
  return {
    ...(certificates ? { NODE_EXTRA_CA_CERTS: certificates } : {}),
    npm_config_userconfig: own ?? join(HOME, '.npmrc'),
    npm_config_cache: join(HOME, '.npm'),
    XDG_CACHE_HOME: cache || join(HOME, '.cache'),
  };
}

/** The same, and what makes builds in Go find what the caller's own have fetched and built. */
export function callersEnvironment(): Record<string, string> {
  const ofGo = Object.entries(process.env).flatMap(([name, value]) => {
    return /^GO[A-Z]+$/.test(name) && value !== undefined ? [[name, value]] : [];
  });
  return {
    ...registryEnvironment(),
    GOCACHE: join(homedir(), '.cache/go-build'),
    GOPATH: join(homedir(), 'go'),
    ...Object.fromEntries(ofGo),
  };
}
