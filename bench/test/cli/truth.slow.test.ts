/** What is known of servers, really measured: less of it than `truth` asks for, so that it may find less. */
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { isStandard } from '../../src/plan/plan.ts';
import { truth } from '../../src/suites/truth.ts';
import { truthWhere } from '../../src/suites/truth-where.ts';
import { CAN_PROFILE } from '../../src/system/inspector.ts';
import { command } from '../support/command.ts';
import { ownPlace } from '../support/leftovers.ts';
import { callersEnvironment } from '../support/registry.ts';
import { expectMeasured, rowOf } from './harness.ts';

/** Without the caller's cache a build in Go compiles all of its library first. */
const CALLERS = callersEnvironment();
const place = ownPlace();
const out = join(place.folder, 'record.json');
/** Thirty servers take a while, and longer beside other tests. */
const BUSY_MS = 400_000;
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
    if (cell.startsWith('sized')) {
      expect(handler).toBeNull();
      continue;
    }
    // Nobody asks the garbage collector of those that work at another time.
    expect(handler?.gcNs ?? 0, cell).toBeGreaterThanOrEqual(0);
    expect(handler, cell).not.toBeNull();
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
