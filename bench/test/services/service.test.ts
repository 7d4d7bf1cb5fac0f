import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { programNamed } from '../../src/services/service.ts';
import { userError } from '../support/caught.ts';
import { onPathAlone } from '../support/fake-programs.ts';

const [NEW, OLD] = ['new-name-of-a-server', 'old-name-of-a-server'];
const inFolder = (name: string) => join(process.env.PATH ?? '', name);

test.each([
  [[OLD], OLD],
  [[NEW, OLD], NEW],
])('with %j the server is %s', (names, found) => {
  using _ = onPathAlone(...names);
  expect(programNamed([NEW, OLD])).toBe(inFolder(found));
});

test('what is not executable is not the server', () => {
  using _ = onPathAlone();
  writeFileSync(inFolder(NEW), '');
  expect(userError(() => programNamed([NEW, OLD])).message).toContain(NEW);
});
