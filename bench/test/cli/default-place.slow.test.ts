import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { FIXTURES } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { recordIn, TINY } from './harness.ts';

const place = ownPlace();
const BENCH = join(import.meta.dirname, '../..');

/** Another checkout, with what a run takes; its `results` are its own. */
function makeCheckout(): string {
  const checkout = join(place.folder, 'checkout');
  const bench = join(checkout, 'bench');
  const unneeded = new Set(['node_modules', 'test']);
  mkdirSync(bench, { recursive: true });
  for (const name of readdirSync(BENCH).filter((each) => !unneeded.has(each))) {
    cpSync(join(BENCH, name), join(bench, name), {
      recursive: true,
      filter: (source) => !unneeded.has(basename(source)),
    });
  }
  symlinkSync(join(BENCH, 'node_modules'), join(bench, 'node_modules'));
  return checkout;
}

test('without --out a record is saved as results/<time>-<suite>.json of the checkout', async () => {
  const results = join(makeCheckout(), 'results');
  const targets = ['--packages', FIXTURES, '--targets', 'ok', '--topology', 'single'];
  // Started from elsewhere: the checkout counts, not the working folder.
  const cli = ['checkout/bench/src/cli.ts', 'frameworks', ...targets, ...TINY];
  const { stderr } = await execa(process.execPath, cli, {
    cwd: place.folder,
    extendEnv: false,
    env: place.environment,
    stdin: 'ignore',
    reject: false,
  });
  const [page = '', saved = '', ...others] = readdirSync(results).toSorted();
  expect(others).toEqual([]);
  expect(page).toBe(saved.replace(/json$/, 'html'));
  expect(saved).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-frameworks\.json$/);
  expect(stderr).toContain(`Saved as checkout/results/${saved}`);
  const { state, startedAt } = recordIn(join(results, saved));
  expect(state).toBe('complete');
  // Its name is when it began, in UTC.
  expect(saved.slice(0, 19)).toBe(startedAt.slice(0, 19).replaceAll(':', '-'));
});
