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

/** Puts programs of these names, and nothing else, on the PATH. */
function onlyOnPath(...names: string[]) {
  const folder = temporaryFolder();
  for (const name of names) chmodSync(folder.write(name, ''), 0o755);
  vi.stubEnv('PATH', folder.path);
  return folder;
}

test.each([
  ['a program is found by any of its names', [OLD], OLD],
  ['the first first', [NEW, OLD], NEW],
])('%s', (_, names, found) => {
  using folder = onlyOnPath(...names);
  expect(programsOf({ ...SERVICE, fresh: null })).toEqual({
    ...{ state: 'found', fresh: null },
    server: join(folder.path, found),
  });
});

test.each([
  ['the server', [], NEW],
  ['what makes its data', [NEW], MAKER],
])('what is missing is named: %s', (_, names, missing) => {
  using folder = onlyOnPath(...names);
  // A file that may not be executed is no program.
  folder.write(missing, '');
  expect(programsOf(SERVICE)).toEqual({ state: 'missing', program: missing });
});
