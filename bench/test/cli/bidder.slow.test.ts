import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { FIXTURES } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { missingHere } from '../support/services.ts';
import { overhead, promisedBy, recordIn, rowOf } from './harness.ts';

const place = ownPlace();
const out = join(place.folder, 'record.json');
const SHORT = ['-c', '10', '-d', '1.2', '--slice', '0.6', '--launches', '2', '--warmup', '0.1'];
const bidder = (...options: string[]) => {
  const folder = join(FIXTURES, 'bidder');
  return overhead(place, 'bidder', '--packages', folder, ...SHORT, '--out', out, ...options);
};

describe('the bidder', () => {
  beforeEach(({ skip }) => {
    const missing = missingHere('redis');
    skip(missing !== null, missing ?? '');
  });

  test('is measured at a quiet rate that a pilot finds, at the published one and at its limit', {
    timeout: 180_000,
  }, async () => {
    const run = await bidder();
    const record = recordIn(out);
    const { plan, failures, serviceFailures, starts } = record;
    expect({ failures, serviceFailures }).toEqual({ failures: [], serviceFailures: [] });
    expect(record).toMatchObject({ suite: 'bidder', state: 'complete' });
    expect(plan.basis).toMatchObject({ kind: 'lone' });
    expect(plan.loads.map(({ id }) => id)).toEqual(['quiet', 'rate-500', 'limit']);
    expect(new Set(record.slices.map(({ cell }) => cell))).toEqual(
      new Set(plan.cells.map(({ id }) => id)),
    );
    // Eight alone, and four on two cores, in each of both launches.
    expect(starts).toHaveLength(2 * (8 + 4));
    for (const { bytes } of starts) expect(bytes).toBeGreaterThan(1e6);
    expect(run.stderr).toContain('a pilot, which the loads are derived from');
    expect(run.stdout).toMatch(/^overhead bidder\n/);
    const [, quiet = '', ...rest] = run.stdout.split(/(?=CPU of a request, as)/);
    expect(rest).toEqual([]);
    for (const label of ['Nest', 'Gin']) expect(rowOf(quiet, label)).toMatch(/\d/);
    for (const label of ['Nest', 'Gin']) {
      const [, ladder = ''] = run.stdout.split(`What ${label} costs more with each change`);
      for (const row of ['candidates repeated', 'JSON in Redis', 'the rest']) {
        expect(rowOf(ladder, row)).toMatch(/\d/);
      }
    }
    const [, published = ''] = run.stdout.split('Published beside measured');
    expect(rowOf(published, 'step 1: Nest under load, MB')).toMatch(/450 +\d/);
    expect(published).toContain('What made it so');
    expect(run.code).toBe(promisedBy(run.stdout));
    const { code, stdout } = run;
    expect(await overhead(place, 'report', out)).toEqual({ code, stdout, stderr: '' });
  });

  test('unbroken is measured at the published rate alone, without a pilot', async () => {
    const options = ['--contiguous', '-d', '1', '--warmup', '0.1', '--targets', 'nest,gin'];
    const folder = join(FIXTURES, 'bidder');
    const run = await overhead(place, 'bidder', '--packages', folder, ...options, '--out', out);
    const { plan, slices } = recordIn(out);
    expect(plan).toMatchObject({ basis: { kind: 'none' }, loads: [{ id: 'rate-500' }] });
    expect(slices).toHaveLength(4);
    expect(run.stderr).not.toContain('pilot');
    expect(run.stdout).toContain('Published beside measured');
  });

  test('by the names given is measured in these alone', async () => {
    const run = await bidder('--topology', 'single', '--targets', 'nest,nest-json');
    const { plan, targets } = recordIn(out);
    expect(targets.map(({ name }) => name)).toEqual(['nest', 'nest-json']);
    expect(new Set(plan.cells.map(({ id }) => id))).toEqual(
      new Set([
        'nest/single/quiet',
        'nest-json/single/quiet',
        'nest/single/rate-500',
        'nest/single/limit',
      ]),
    );
    expect(run.stdout).toContain('Other variants');
  });
});

test('--driver needs no --rate, since there is one', async () => {
  const run = await bidder('--driver', 'wrk');
  expect(run.code).toBe(2);
  expect(run.stderr).not.toContain('without --rate');
  expect(run.stderr).toContain("'wrk' is invalid");
});
