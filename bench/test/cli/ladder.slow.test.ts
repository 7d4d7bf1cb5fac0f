import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FIXTURES } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { overhead, promisedBy, recordIn, rowOf } from './harness.ts';

const place = ownPlace();
const out = join(place.folder, 'record.json');
const FOLDER = ['--packages', join(FIXTURES, 'ladder')];
const AMOUNTS = ['-d', '0.8', '--slice', '0.2', '--launches', '2', '--warmup', '0.1'];

/** A report without the breaks that its width makes. */
function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

test('`ladder` says what each rung adds, and how much of the highest one is the framework', async () => {
  const run = await overhead(place, 'ladder', ...FOLDER, ...AMOUNTS, '--out', out);
  const record = recordIn(out);
  expect(record).toMatchObject({ state: 'complete', failures: [], suite: 'ladder' });
  expect(record.plan.cells).toHaveLength(9);
  expect(record.plan.loads).toMatchObject([{ connections: 50, pipelining: 4 }]);
  // The rehearsal of each launch is not among them.
  expect(record.plan.rehearsed).toBe(true);
  expect(record.slices).toHaveLength(9 * 2 * 2);
  for (const { measurement } of record.slices) {
    expect(measurement.window.ok).toBeGreaterThan(0);
    expect(measurement.ledger).toMatchObject({ timedOut: 0, wrongBody: 0, wrongStatus: 0 });
  }
  for (const rung of ['text', '+ JSON', '+ a row', 'beside: an error']) {
    expect(rowOf(run.stdout, rung), rung).toMatch(/\d.* \S*\d/);
  }
  expect(inOneLine(run.stdout)).toMatch(/Of the \S+ ±\S+ µs that this endpoint costs on Nest, /);
  expect(run.code).toBe(promisedBy(run.stdout));
  const { code, stdout } = run;
  expect(await overhead(place, 'report', out)).toEqual({ code, stdout, stderr: '' });
});

test('`ladder --quick` has the ends alone, each rung over what is left below it', async () => {
  const run = await overhead(place, 'ladder', '--quick', ...FOLDER, ...AMOUNTS, '--out', out);
  const { plan } = recordIn(out);
  expect(plan.cells.map(({ target }) => target).sort()).toEqual(
    ['floor', 'floor-row', 'nest', 'nest-row', 'nest-row-ajv'].sort(),
  );
  expect(rowOf(run.stdout, '+ all up to a row')).toMatch(/\d/);
});

test('`ladder --rate` sends the rungs that are named so many requests a second', async () => {
  const named = ['--targets', 'nest-json,nest-row', '--rate', '100', '--topology', 'single'];
  const run = await overhead(place, 'ladder', ...FOLDER, ...named, ...AMOUNTS, '--out', out);
  const { plan } = recordIn(out);
  expect(plan.loads).toMatchObject([{ kind: 'open', ratePerS: 100 }]);
  expect(plan.cells.map(({ target }) => target)).toEqual(['nest-json', 'nest-row']);
  expect(run.code).toBe(promisedBy(run.stdout));
});
