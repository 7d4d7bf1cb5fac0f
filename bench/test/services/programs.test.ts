import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { programsOf } from '../../src/services/programs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const before = process.env.PATH;
afterEach(() => {
  process.env.PATH = before;
});

const SERVICE = {
  program: ['new-name-of-a-server', 'old-name-of-a-server'],
  fresh: { program: ['maker-of-its-data'], args: () => [] },
};

/** Puts programs of these names, and nothing else, on the PATH. */
function onlyOnPath(...names: string[]) {
  const folder = temporaryFolder();
  for (const name of names) chmodSync(folder.write(name, ''), 0o755);
  process.env.PATH = folder.path;
  return folder;
}

test('a program is found by any of its names, the first first', () => {
  using old = onlyOnPath('old-name-of-a-server');
  const only = { ...SERVICE, fresh: null };
  const [newest, oldest] = SERVICE.program;
  expect(programsOf(only)).toMatchObject({ server: join(old.path, String(oldest)) });
  using both = onlyOnPath(...SERVICE.program);
  expect(programsOf(only)).toEqual({
    ...{ state: 'found', fresh: null },
    server: join(both.path, String(newest)),
  });
});

test('what is missing is named: the server, or what makes its data', () => {
  using _none = onlyOnPath();
  expect(programsOf(SERVICE)).toEqual({ state: 'missing', program: 'new-name-of-a-server' });
  using _server = onlyOnPath('new-name-of-a-server');
  expect(programsOf(SERVICE)).toEqual({ state: 'missing', program: 'maker-of-its-data' });
});

test('a file that may not be executed is no program', () => {
  using folder = onlyOnPath();
  folder.write('new-name-of-a-server', '');
  expect(programsOf(SERVICE)).toMatchObject({ state: 'missing' });
});
