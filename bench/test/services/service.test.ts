import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { programNamed } from '../../src/services/service.ts';
import { userError } from '../support/caught.ts';
import { onPathAlone } from '../support/fake-programs.ts';

test('the server is the first of its names that can be executed', () => {
  const [first, second] = ['new-name-of-a-server', 'old-name-of-a-server'];
  using _ = onPathAlone(second);
  const pathOf = (name: string) => join(process.env.PATH ?? '', name);
  writeFileSync(pathOf(first), '');
  expect(userError(() => programNamed([first])).message).toContain(first);
  expect(programNamed([first, second])).toBe(pathOf(second));
  chmodSync(pathOf(first), 0o755);
  expect(programNamed([first, second])).toBe(pathOf(first));
});
