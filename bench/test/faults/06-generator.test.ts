/** Row 6: a generator that is killed, stopped or slow; and the guardian. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { codesOf, ENDLESS, harnessPlace, on, rowOf, SIX_ROUNDS } from '../cli/harness.ts';

const place = harnessPlace();
const OK = on(['ok'], 'single');

/** Sends a signal to the process of a harness whose command line contains this. */
function send(name: NodeJS.Signals, script = 'generator-process'): void {
  const victim = place.processes().find(({ command }) => command.includes(script));
  if (victim === undefined) throw new Error(`no ${script} is running`);
  process.kill(victim.pid, name);
}

test.each<[string, () => void | Promise<void>, RegExp]>([
  ['SIGKILL', () => send('SIGKILL'), /^the load generator ended with SIGKILL$/],
  [
    'stopped for 5 s and continued',
    async () => {
      send('SIGSTOP');
      await sleep(5000);
      send('SIGCONT');
    },
    /the load generator failed: it stood still for \d+\.\d s/,
  ],
])('%s: what it measured is measured again, by another one', async (_, act, message) => {
  const harness = await place.startRound(...OK, ...SIX_ROUNDS);
  await act();
  const run = await harness.finished;
  const { repeats } = place.wholeRecord();
  expect(repeats).toMatchObject([{ message: expect.stringMatching(message) }]);
  expect(run.stderr).toContain(`${repeats[0]?.message}; measuring again`);
  expect(run.stdout).toMatch(/1 measurement repeated with a new\s+generator/);
});

test('slowed to a tenth: not counted as the slowness of the server', async () => {
  const harness = await place.startRound(...OK, ...SIX_ROUNDS);
  const slowing = setInterval(async () => {
    send('SIGSTOP');
    await sleep(90);
    send('SIGCONT');
  }, 100);
  await harness.untilSays('a round is over', 4).finally(() => clearInterval(slowing));
  await harness.finished;
  const codes = codesOf(place.record(), ({ id }) => id === 'ok/single/custom');
  const limits = [...codes].filter((code) => /UNSATURATED|GENERATOR_BOUND/.test(code));
  expect(limits).toHaveLength(1);
});

test('a guardian that is killed ends the run, which keeps what was measured and clears up', async () => {
  const harness = await place.startRound(...OK, ...ENDLESS);
  await harness.untilSays('a round is over', 2);
  send('SIGKILL', 'guard.ts');
  const run = await harness.finished;
  // Nobody else removes its folder.
  for (const name of place.runFolders()) rmSync(join(place.folder, name), { recursive: true });
  expect(run.code).toBe(1);
  const { slices, state } = place.record();
  expect(state).toBe('interrupted');
  expect(slices.length).toBeGreaterThanOrEqual(2);
  expect(rowOf(run.stdout, 'Fine')).toMatch(/\d/);
  expect(run.stderr).toMatch(/^error: /m);
});
