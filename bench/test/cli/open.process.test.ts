import { chmodSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, expect, test, vi } from 'vitest';
import { openLatest } from '../../src/commands/open.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

/** What `open` says of the pages in this folder. */
async function opened(folder: string): Promise<string> {
  const stdout = new PassThrough();
  expect(await openLatest({ stdout }, folder)).toBe(0);
  return String(stdout.read());
}

/** Two pages, of which the first in the alphabet is the newer one. */
function writePages(write: (name: string, content: string) => string): void {
  write('a.html', 'newer');
  utimesSync(write('b.html', 'older'), 1, 1);
}

test('`open` shows the page of the latest run with what the system has', async () => {
  using folder = temporaryFolder();
  writePages(folder.write);
  const told = join(folder.path, 'told');
  const program = folder.write('bin/xdg-open', `#!/bin/sh\nprintf %s "$1" > '${told}'\n`);
  chmodSync(program, 0o755);
  vi.stubEnv('PATH', `${join(folder.path, 'bin')}:${process.env.PATH}`);
  vi.stubEnv('DISPLAY', ':0');
  expect(await opened(folder.path)).toMatch(/^Opened .*a\.html\n$/);
  expect(readFileSync(told, 'utf8')).toBe(join(folder.path, 'a.html'));
});

test('`open` says where the page is where there is no screen, or nothing to open it with', async () => {
  using folder = temporaryFolder();
  writePages(folder.write);
  vi.stubEnv('DISPLAY', undefined);
  vi.stubEnv('WAYLAND_DISPLAY', undefined);
  expect(await opened(folder.path)).toMatch(/no browser here to open .*a\.html/);
  vi.stubEnv('DISPLAY', ':0');
  vi.stubEnv('PATH', folder.path);
  expect(await opened(folder.path)).toMatch(/no browser here to open .*a\.html/);
});
