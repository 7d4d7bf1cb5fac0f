/** The harness about itself, really run: what is known of servers, and what measuring costs. */
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { FAILED } from '../../src/base/errors.ts';
import { readJson } from '../../src/base/files.ts';
import { price } from '../../src/commands/price.ts';
import { sum } from '../../src/figures/figures.ts';
import { isStandard } from '../../src/plan/plan.ts';
import { priceRecordSchema } from '../../src/studies/price/record.ts';
import { truth, truthWhere } from '../../src/suites/truth.ts';
import { CAN_PROFILE } from '../../src/system/inspector.ts';
import { runAsked } from '../support/ask.ts';
import { command } from '../support/command.ts';
import { callersEnvironment } from '../support/registry.ts';
import { expectMeasured, harnessPlace, rowOf } from './harness.ts';

/** Without the caller's cache a build in Go compiles all of its library first. */
const CALLERS = callersEnvironment();
const { out } = harnessPlace();
/** One launch, which is too little to find anything. */
const LITTLE = { ...truth.defaults({}), durationS: 0.4, sliceS: 0.2, launches: 1, warmupS: 0.1 };
/** Servers of each kind that tells of its own time, with those that they are compared with. */
const TIMED = ['twin-a', 'twin-b', 'spin-3', 'late', 'late-idle', 'go', 'go-spin-3'];

beforeAll(() => {
  for (const [name, value] of Object.entries(CALLERS)) vi.stubEnv(name, value);
});
afterEach(() => void vi.restoreAllMocks());

test('`truth` measures servers that tell of their own time', async () => {
  const { targets, ...others } = truth.subjects(runAsked('truth'));
  const some = targets.filter(({ name }) => TIMED.includes(name));
  vi.spyOn(truth, 'subjects').mockReturnValue({ ...others, targets: some });
  vi.spyOn(truth, 'defaults').mockReturnValue(LITTLE);
  const run = await command(['truth', '--out', out]);
  expect(run.code).toBe(FAILED);
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
  vi.spyOn(truthWhere, 'defaults').mockReturnValue({ ...LITTLE, sliceS: 0.4 });
  const run = await command(['truth', '--where', '--out', out]);
  expect(run.code).toBe(FAILED);
  const { plan, profiles } = await expectMeasured(out, run);
  const sampled = plan.cells.filter((cell) => !isStandard(cell)).map(({ target }) => target);
  expect(sampled.length).toBeGreaterThan(0);
  expect(new Set(profiles.map(({ cell }) => cell.split('/')[0]))).toEqual(new Set(sampled));
  for (const { functions, samples } of profiles) {
    expect(samples).toBeGreaterThan(0);
    expect(functions.map(({ owner }) => owner.kind)).toContain('node');
  }
});

test('`price` measures real servers in every arrangement', async () => {
  vi.spyOn(price, 'kindOf').mockReturnValue({ ...price.kindOf({}), defaults: () => LITTLE });
  const run = await command(['price', '--out', out]);
  expect(run).toMatchObject({ code: 0, stdout: expect.stringMatching(/^overhead price\n/) });
  const { state, variants, slices } = readJson(out, [priceRecordSchema]);
  expect(state).toBe('complete');
  expect(new Set(slices.map(({ variant }) => variant))).toEqual(new Set(variants));
  for (const [variant, own] of Map.groupBy(slices, (slice) => slice.variant)) {
    const sums = [sum(own, ({ responses }) => responses), sum(own, ({ cpuNs }) => cpuNs)];
    for (const each of sums) expect(each, variant).toBeGreaterThan(0);
  }
});
