import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { now } from '../../src/load/clock.ts';
import { measureIdle } from '../../src/run/idle.ts';
import { readCpuOfTrees } from '../../src/system/usage.ts';
import { startProgram } from '../support/processes.ts';

vi.mock('node:timers/promises', { spy: true });
vi.mock('../../src/load/clock.ts', { spy: true });
vi.mock('../../src/system/usage.ts', { spy: true });
afterEach(() => {
  vi.resetAllMocks();
});

const NEVER = new AbortController().signal;

test.each([
  ['has no work left', [9]],
  ['uses the same again', [100, 91]],
  ['finishes its work', [1000, 500, 200, 3]],
  ['is busy, however evenly', [600, 600, 600, 600, 600]],
  ['uses less and less', [400, 350, 300, 250, 200]],
])('the last second of a server that %s is its idle use: %j ms', async (_, eachMs) => {
  let seconds = 0;
  let cpuNs = 0;
  vi.mocked(now).mockImplementation(() => seconds * 1e9);
  vi.mocked(readCpuOfTrees).mockImplementation(async () => [{ cpuNs, waitNs: 0 }]);
  vi.mocked(sleep).mockImplementation(async () => {
    cpuNs += (eachMs[seconds] ?? 0) * 1e6;
    seconds++;
  });
  const server = { pids: [1] };
  const uses = await measureIdle([server], NEVER);
  expect(seconds).toBe(eachMs.length);
  expect([...uses]).toEqual([[server, (eachMs.at(-1) ?? 0) * 1e6]]);
});

/** A process that says that it runs, and then acts. */
async function start(act: string) {
  const script = `console.log('here'); ${act}; setInterval(() => {}, 60_000);`;
  const child = startProgram(process.execPath, '-e', script);
  await once(child.stdout, 'data');
  return { pids: [child.pid], ...child };
}

test('one that dies meanwhile and one without processes have no idle use, and others do', async () => {
  await using quiet = await start('');
  await using dying = await start('setTimeout(() => process.exit(), 300)');
  const nobody = { pids: [] };
  expect([...(await measureIdle([dying, nobody, quiet], NEVER)).keys()]).toEqual([quiet]);
  vi.mocked(sleep).mockClear();
  expect((await measureIdle([nobody], NEVER)).size).toBe(0);
  expect(sleep).not.toHaveBeenCalled();
});

test('it ends at once where the run is to end', async () => {
  const over = new AbortController();
  const measuring = measureIdle([{ pids: [process.pid] }], over.signal);
  over.abort(new Error('enough'));
  await expect(measuring).rejects.toThrow();
});
