/** The harness's studies of itself, really run: what measuring costs, and how methods differ. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FAILED } from '../../src/base/exit-codes.ts';
import { readJson } from '../../src/base/json-file.ts';
import { sum } from '../../src/figures/figures.ts';
import { methodsRecordSchema } from '../../src/studies/methods/record.ts';
import { findPrices } from '../../src/studies/price/findings.ts';
import { priceRecordSchema } from '../../src/studies/price/record.ts';
import { command } from '../support/command.ts';
import { ownPlace } from '../support/leftovers.ts';
import { overhead, rowOf } from './harness.ts';

const place = ownPlace();

test('`price` measures what the harness adds to real servers', async () => {
  const out = join(place.folder, 'price.json');
  const { code, stdout, stderr } = await overhead(place, 'price', '--quick', '--out', out);
  const record = readJson(out, [priceRecordSchema]);
  const { state, variants, slices } = record;
  expect(state).toBe('complete');
  expect(new Set(slices.map(({ variant }) => variant))).toEqual(new Set(variants));
  for (const [variant, own] of Map.groupBy(slices, (slice) => slice.variant)) {
    expect(
      sum(own, ({ responses }) => responses),
      variant,
    ).toBeGreaterThan(0);
    expect(
      sum(own, ({ cpuNs }) => cpuNs),
      variant,
    ).toBeGreaterThan(0);
  }
  const isAbove = findPrices(record).some((price) => {
    return price.state === 'measured' && price.verdict === 'above';
  });
  expect(code).toBe(isAbove ? FAILED : 0);
  expect(stdout).toMatch(/^overhead price\n/);
  expect(stderr).toContain('Saved as ');
  expect(await command(['report', out])).toEqual({ code, stdout, stderr: '' });
});

test('`methods` measures real servers by both methods', async () => {
  const out = join(place.folder, 'methods.json');
  const options = ['--repeats', '1', '--seconds', '8', '--out', out];
  const { code, stdout, stderr } = await overhead(place, 'methods', ...options);
  expect(code).toBe(0);
  const { measurements } = readJson(out, [methodsRecordSchema]);
  expect(measurements.map(({ method }) => method)).toEqual(['classic', 'sliced']);
  for (const { wallNs, ratios } of measurements) {
    expect(wallNs).toBeGreaterThan(2e9);
    expect(ratios.cpu?.expressToFastify).toBeGreaterThan(0);
  }
  expect(rowOf(stdout, 'Express : Fastify')).toMatch(/\d/);
  expect(stderr).toContain('Saved as ');
  expect(await command(['report', out])).toEqual({ code, stdout, stderr: '' });
});
