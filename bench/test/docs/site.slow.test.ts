import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { ROOT } from './documents.ts';

test('`pnpm site` makes a page of each saved run, one of the published claims, and an index', async () => {
  using folder = temporaryFolder();
  const runs = globSync('docs/runs/*.json.gz', { cwd: ROOT });
  expect(await command(['site', folder.path, '--from', join(ROOT, 'docs/runs')])).toMatchObject({
    ...{ code: 0, stderr: '' },
    stdout: expect.stringMatching(new RegExp(`^${runs.length} pages and `)),
  });
  const made = globSync('*.html', { cwd: folder.path });
  const names = runs.map((path) => path.replace(/^.*\/(.*)\.json\.gz$/, '$1.html'));
  expect(made.sort()).toEqual([...names, 'published-claims.html', 'index.html'].sort());
});
