/** Row 2: SIGKILL in each phase of a run. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cellOf } from '../../src/plan/plan.ts';
import { measured, on, recordIn, SHORT } from '../cli/harness.ts';
import { ownPlace } from '../support/leftovers.ts';
import { PHASES, startIn } from './phases.ts';

const place = ownPlace();
/** Within so long everything has ended. */
const ENDED_MS = 5000;

test.each(Object.entries(PHASES))(
  'in %s leaves nothing but what was measured',
  async (name, phase) => {
    const out = join(place.folder, `${name}.json`);
    const harness = await startIn(phase, place, out);
    process.kill(harness.pid, 'SIGKILL');
    expect((await harness.finished).code).toBeUndefined();
    await place.untilEmpty(ENDED_MS);
    // There is no record before there is a plan.
    if (phase.rounds === 0 && !existsSync(out)) return;
    const { slices, state, failures, plan } = recordIn(out);
    expect({ state, failures }).toEqual({ state: 'running', failures: [] });
    const own = slices.filter(({ cell }) => !cellOf(plan, cell).target.startsWith('canned'));
    expect(own.length).toBeGreaterThanOrEqual(phase.rounds);
  },
);

test('a run that nobody kills is whole', async () => {
  const { record } = await measured(place, 'frameworks', ...on(['ok'], 'single'), ...SHORT);
  expect(record.state).toBe('complete');
});
