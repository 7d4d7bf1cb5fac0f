import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { programsOf } from '../../src/services/programs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const [NEW, OLD, MAKER] = ['new-name-of-a-server', 'old-name-of-a-server', 'maker-of-its-data'];
const SERVICE = { program: [NEW, OLD], fresh: { program: [MAKER], args: () => [] } };

/** A PATH with only these programs. */
function onlyOnPath(...names: string[]) {
  const folder = temporaryFolder();
  for (const name of names) chmodSync(folder.write(name, ''), 0o755);
  vi.stubEnv('PATH', folder.path);
  return folder;
}

test.each([
  [[OLD], OLD],
  [[NEW, OLD], NEW],
])('with %j the server is %s', (names, found) => {
  using folder = onlyOnPath(...names);
  const server = join(folder.path, found);
  expect(programsOf({ ...SERVICE, fresh: null })).toEqual({ state: 'found', fresh: null, server });
});

test.each([
  [[], NEW],
  [[NEW], MAKER],
])('with %j %s is missing', (names, missing) => {
  using folder = onlyOnPath(...names);
  // Not an executable.
  folder.write(missing, '');
  expect(programsOf(SERVICE)).toEqual({ state: 'missing', program: missing });
});
