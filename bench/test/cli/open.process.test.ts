import { chmodSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { openLatest } from '../../src/commands/open.ts';
import { folderOfEach } from '../support/folder-of-each.ts';

const folder = folderOfEach();

test.each(['.', 'none'])('`open` says what to do where there is no page: %s', async (place) => {
  folder.write('run.json', {});
  const opened = openLatest({ stdout: new PassThrough() }, join(folder.path, place));
  const refusal = { name: 'UserError', message: expect.stringContaining('there is no page') };
  await expect(opened).rejects.toMatchObject(refusal);
});

/** What `open` says of two pages, of which the first in the alphabet is the newer one. */
async function opened(): Promise<string> {
  folder.write('a.html', 'newer');
  utimesSync(folder.write('b.html', 'older'), 1, 1);
  const stdout = new PassThrough();
  expect(await openLatest({ stdout }, folder.path)).toBe(0);
  return String(stdout.read());
}

test('`open` shows the page of the latest run with what the system has', async () => {
  const told = join(folder.path, 'told');
  const program = folder.write('bin/xdg-open', `#!/bin/sh\nprintf %s "$1" > '${told}'\n`);
  chmodSync(program, 0o755);
  vi.stubEnv('PATH', `${join(folder.path, 'bin')}:${process.env.PATH}`);
  vi.stubEnv('DISPLAY', ':0');
  expect(await opened()).toMatch(/^Opened .*a\.html\n$/);
  expect(readFileSync(told, 'utf8')).toBe(join(folder.path, 'a.html'));
});

test('`open` says where the page is where there is no screen, or nothing to open it with', async () => {
  vi.stubEnv('DISPLAY', undefined);
  vi.stubEnv('WAYLAND_DISPLAY', undefined);
  expect(await opened()).toMatch(/no browser here to open .*a\.html/);
  vi.stubEnv('DISPLAY', ':0');
  vi.stubEnv('PATH', folder.path);
  expect(await opened()).toMatch(/no browser here to open .*a\.html/);
});
