/** The documents have a site beside them: a page for every saved run. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { ROOT } from './documents.ts';

test('`pnpm bench site docs --from docs/runs` makes the pages in docs/ as they are', async () => {
  using folder = temporaryFolder();
  const runs = globSync('docs/runs/*.json', { cwd: ROOT });
  expect(await command(['site', folder.path, '--from', join(ROOT, 'docs/runs')])).toMatchObject({
    ...{ code: 0, stderr: '' },
    stdout: expect.stringMatching(new RegExp(`^${runs.length} pages and `)),
  });
  const pagesIn = (cwd: string) => globSync('*.html', { cwd }).sort();
  const made = pagesIn(folder.path);
  expect(made).toHaveLength(runs.length + 1);
  expect(pagesIn(join(ROOT, 'docs'))).toEqual(made);
  const isSame = (page: string) => {
    return readFileSync(join(folder.path, page)).equals(readFileSync(join(ROOT, 'docs', page)));
  };
  expect(made.filter((page) => !isSame(page))).toEqual([]);
});
