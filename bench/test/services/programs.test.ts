import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { programsOf } from '../../src/services/programs.ts';
import { onPathAlone } from '../support/fake-programs.ts';

const [NEW, OLD, MAKER] = ['new-name-of-a-server', 'old-name-of-a-server', 'maker-of-its-data'];
const SERVICE = { program: [NEW, OLD], fresh: { program: [MAKER], args: () => [] } };
const inFolder = (name: string) => join(process.env.PATH ?? '', name);

test.each([
  [[OLD], OLD],
  [[NEW, OLD], NEW],
])('with %j the server is %s', (names, found) => {
  using _ = onPathAlone(...names);
  const server = inFolder(found);
  expect(programsOf({ ...SERVICE, fresh: null })).toEqual({ state: 'found', fresh: null, server });
});

test.each([
  [[], NEW],
  [[NEW], MAKER],
])('with %j %s is missing', (names, missing) => {
  using _ = onPathAlone(...names);
  // Not an executable.
  writeFileSync(inFolder(missing), '');
  expect(programsOf(SERVICE)).toEqual({ state: 'missing', program: missing });
});
