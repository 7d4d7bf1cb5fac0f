/** The documents have a site beside them: a page for every saved run. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { overhead } from '../cli/harness.ts';
import { ownPlace } from '../support/leftovers.ts';
import { ROOT } from './documents.ts';

const place = ownPlace();
const BUSY_MS = 60_000;

test(
  '`pnpm bench site docs --from docs/runs` makes the pages in docs/ as they are',
  async () => {
    const folder = join(place.folder, 'site');
    const { code } = await overhead(place, 'site', folder, '--from', 'docs/runs');
    expect(code).toBe(0);
    const pagesIn = (cwd: string) => globSync('*.html', { cwd }).sort();
    const made = pagesIn(folder);
    expect(made).toContain('index.html');
    expect(pagesIn(join(ROOT, 'docs'))).toEqual(made);
    const isSame = (page: string) => {
      return readFileSync(join(folder, page)).equals(readFileSync(join(ROOT, 'docs', page)));
    };
    expect(made.filter((page) => !isSame(page))).toEqual([]);
  },
  BUSY_MS,
);
