import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownPlace } from '../support/leftovers.ts';
import { on, overhead, promisedBy, recordIn, rowOf } from './harness.ts';

const place = ownPlace();
const out = join(place.folder, 'record.json');
/** Two launches of two short slices. */
const SHORT = ['-d', '1.2', '--slice', '0.3', '--launches', '2', '--warmup', '0.1'];

test('`--rate 50` sends 50 requests a second to every server, saves and prints them', async () => {
  const targets = on(['ok', 'late-answers'], 'single,2');
  const options = ['--rate', '50', ...SHORT, '-c', '100', '--seed', '7', '--out', out];
  const run = await overhead(place, 'frameworks', ...targets, ...options);
  const record = recordIn(out);
  expect(record).toMatchObject({ suite: 'rates', state: 'complete', failures: [] });
  expect(record.plan.loads).toMatchObject([{ kind: 'open', driver: 'pacer', ratePerS: 50 }]);
  expect(new Set(record.slices.map(({ cell }) => cell)).size).toBe(4);
  expect(record.slices).toHaveLength(16);
  for (const { measurement } of record.slices) {
    const { window, windowNs, pace } = measurement;
    // As many as fit between the edges of the window, whatever the server does.
    expect(pace?.planned).toBeGreaterThan((50 * windowNs) / 1e9 - 3);
    expect(pace?.planned).toBeLessThan((50 * windowNs) / 1e9 + 3);
    expect(window.sent).toBe((pace?.planned ?? 0) - (pace?.dropped ?? 0));
    expect(window.ok).toBeGreaterThan(0);
    expect(window).toMatchObject({ wrongStatus: 0, wrongBody: 0, disconnected: 0 });
  }
  expect(run.stdout).toMatch(/^overhead rates\n/);
  expect(run.stdout).toContain('At 50 requests/s');
  for (const label of ['Fine (single)', 'Fine (2)', 'Late answers (single)']) {
    expect(rowOf(run.stdout, label)).toMatch(/\d/);
  }
  expect(run.code).toBe(promisedBy(run.stdout));
  const { code, stdout } = run;
  expect(await overhead(place, 'report', out)).toEqual({ code, stdout, stderr: '' });
});

test('`--rate 10%,30%` asks a pilot what 100 % is, and gives each rate a load of its own', async () => {
  const targets = on(['ok'], 'single');
  const options = ['--rate', '10%,30%', ...SHORT, '-c', '100', '--out', out];
  const run = await overhead(place, 'frameworks', ...targets, ...options);
  const record = recordIn(out);
  expect(record).toMatchObject({ state: 'complete', failures: [] });
  expect(run.stderr).toContain('a pilot, which the loads are derived from');
  const rates = record.plan.loads.map((load) =>
    load.kind === 'open' ? load.ratePerS : Number.NaN,
  );
  const [low = Number.NaN, high = Number.NaN] = rates;
  expect(rates).toHaveLength(2);
  expect(high / low).toBeCloseTo(3, 1);
  for (const { id } of record.plan.loads) {
    const slices = record.slices.filter(({ cell }) => cell === `ok/single/${id}`);
    expect(slices).toHaveLength(4);
  }
  expect(run.code).toBe(promisedBy(run.stdout));
  expect((await overhead(place, 'report', out)).stdout).toBe(run.stdout);
});
