/** Row 2: SIGKILL in each phase of a run. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { cellOf } from '../../src/plan/plan.ts';
import { ENDLESS, measured, on, recordIn, SHORT, start } from '../cli/harness.ts';
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

test('SIGKILL from the start of the servers on leaves nothing after a few seconds', async () => {
  const targets = on(['slow-start', 'ignores-sigterm'], 'single,2');
  const killed = [0, 150, 400, 900].map(async (delayMs) => {
    const path = join(place.folder, `record-${delayMs}.json`);
    const harness = start(place, ['frameworks', ...targets, ...ENDLESS, '--out', path]);
    await harness.untilSays('starting');
    await sleep(delayMs);
    process.kill(harness.pid, 'SIGKILL');
    await harness.finished;
    expect(existsSync(path)).toBe(true);
  });
  await Promise.all(killed);
  await place.untilEmpty(10_000);
});

test('a run that nobody kills is whole', async () => {
  const { record } = await measured(place, 'frameworks', ...on(['ok'], 'single'), ...SHORT);
  expect(record.state).toBe('complete');
});
