import { once } from 'node:events';
import { expect, test } from 'vitest';
import { measureIdle } from '../../src/run/idle.ts';
import { startProgram } from '../support/processes.ts';

const NEVER = new AbortController().signal;
const NOBODY = { pids: [] };

/** A process that reports that it runs, and then acts. */
async function start(act: string) {
  const script = `
    const burn = (ms) => {
      const end = performance.now() + ms;
      while (performance.now() < end);
    };
    console.log('here');
    setTimeout(() => { ${act} });
    setInterval(() => {}, 60_000);`;
  const child = startProgram(process.execPath, '-e', script);
  await once(child.stdout, 'data');
  return { pids: [child.pid], ...child };
}

test('each has its use in a second, once those with work left have done it', async () => {
  await using quiet = await start('');
  // A tenth of a core, on a machine that may be busy with other things.
  await using busy = await start('setInterval(() => burn(10), 100)');
  // All of the first second, and half of the next one.
  await using working = await start('burn(1500)');
  const began = performance.now();
  const uses = await measureIdle([quiet, busy, working], NEVER);
  expect(performance.now() - began).toBeGreaterThan(2900);
  for (const [each, from, to] of [
    [quiet, 0, 0.01],
    [busy, 0.02, 0.3],
    [working, 0, 0.01],
  ] as const) {
    expect(uses.get(each)).toBeGreaterThanOrEqual(from * 1e9);
    expect(uses.get(each)).toBeLessThan(to * 1e9);
  }
});

test('it takes a second where no work is left, and no time without any process', async () => {
  await using quiet = await start('');
  const began = performance.now();
  expect((await measureIdle([quiet], NEVER)).size).toBe(1);
  expect(performance.now() - began).toBeLessThan(1900);
  const without = performance.now();
  expect((await measureIdle([NOBODY], NEVER)).size).toBe(0);
  expect(performance.now() - without).toBeLessThan(900);
});

test('one that dies meanwhile and one without processes have no result, and others do', async () => {
  await using dying = await start('setTimeout(() => process.exit(), 300)');
  await using quiet = await start('');
  expect([...(await measureIdle([dying, NOBODY, quiet], NEVER)).keys()]).toEqual([quiet]);
});

test('it ends at once where the run is to end', async () => {
  await using quiet = await start('');
  const over = new AbortController();
  const measuring = measureIdle([quiet], over.signal);
  over.abort(new Error('enough'));
  await expect(measuring).rejects.toThrow();
});
