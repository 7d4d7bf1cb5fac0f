/** The harness about itself, really run: what is known of servers, what measuring costs, and how methods differ. */
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { FAILED } from '../../src/base/errors.ts';
import { readJson } from '../../src/base/json-file.ts';
import { sum } from '../../src/figures/figures.ts';
import { isStandard } from '../../src/plan/plan.ts';
import { methodsRecordSchema } from '../../src/studies/methods/record.ts';
import { findPrices } from '../../src/studies/price/findings.ts';
import { priceRecordSchema } from '../../src/studies/price/record.ts';
import { truth } from '../../src/suites/truth.ts';
import { truthWhere } from '../../src/suites/truth-where.ts';
import { CAN_PROFILE } from '../../src/system/inspector.ts';
import { command } from '../support/command.ts';
import { ownPlace } from '../support/leftovers.ts';
import { callersEnvironment } from '../support/registry.ts';
import { expectMeasured, overhead, rowOf } from './harness.ts';

/** Without the caller's cache a build in Go compiles all of its library first. */
const CALLERS = callersEnvironment();
const place = ownPlace();
const out = join(place.folder, 'record.json');
/** Thirty servers take a while, and longer beside other tests. */
const BUSY_MS = 400_000;
/** Less than `truth` asks for, so that it may find less. */
const LESS = { ...truth.defaults({}), durationS: 0.4, sliceS: 0.2, launches: 2, warmupS: 0.1 };

beforeAll(() => {
  for (const [name, value] of Object.entries(CALLERS)) vi.stubEnv(name, value);
});
afterEach(() => {
  vi.restoreAllMocks();
});

test('`truth` measures servers that tell of their own time', { timeout: BUSY_MS }, async () => {
  vi.spyOn(truth, 'defaults').mockReturnValue(LESS);
  const run = await command(['truth', '--out', out]);
  const { slices } = await expectMeasured(out, run);
  expect(rowOf(run.stdout, 'bytes of an answer')).toMatch(/\d/);
  for (const { cell, handler } of slices) {
    expect(handler === null, cell).toBe(cell.startsWith('sized'));
    // Nobody asks the garbage collector of those that work at another time.
    expect(handler?.gcNs ?? 0, cell).toBeGreaterThanOrEqual(0);
    if (cell.startsWith('spin')) expect(handler?.medianNs, cell).toBeGreaterThan(0);
  }
});

test.runIf(CAN_PROFILE)('`truth --where` samples servers whose parts are known', async () => {
  vi.spyOn(truthWhere, 'defaults').mockReturnValue({ ...LESS, durationS: 0.8, sliceS: 0.4 });
  const run = await command(['truth', '--where', '--out', out]);
  const { plan, profiles } = await expectMeasured(out, run);
  const sampled = plan.cells.filter((cell) => !isStandard(cell)).map(({ target }) => target);
  expect(sampled.length).toBeGreaterThan(0);
  expect(new Set(profiles.map(({ cell }) => cell.split('/')[0]))).toEqual(new Set(sampled));
});

test('`price` measures what the harness adds to real servers', async () => {
  const { code, stdout, stderr } = await overhead(place, 'price', '--quick', '--out', out);
  const record = readJson(out, [priceRecordSchema]);
  const { state, variants, slices } = record;
  expect(state).toBe('complete');
  expect(new Set(slices.map(({ variant }) => variant))).toEqual(new Set(variants));
  for (const [variant, own] of Map.groupBy(slices, (slice) => slice.variant)) {
    const sums = [sum(own, ({ responses }) => responses), sum(own, ({ cpuNs }) => cpuNs)];
    for (const each of sums) expect(each, variant).toBeGreaterThan(0);
  }
  const prices = findPrices(record);
  const isAbove = prices.some(({ verdict }) => verdict === 'above');
  expect(code).toBe(isAbove ? FAILED : 0);
  expect(stdout).toMatch(/^overhead price\n/);
  expect(stderr).toContain('Saved as ');
  expect(await command(['report', out])).toEqual({ code, stdout, stderr: '' });
});

test('`methods` measures real servers by both methods', async () => {
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
