import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { startGuardian } from '../../src/launch/guardian.ts';
import { isAlive } from '../../src/system/processes.ts';
import { ownPlace } from '../support/leftovers.ts';
import { eventually, startProgram, statusOf } from '../support/processes.ts';

const place = ownPlace();
/** How long the guardian may take to clear up behind a harness that was killed. */
const CLEARED_MS = 10_000;

test('a launcher that is killed leaves no process, no daemon and no folder', async () => {
  await using launcher = startProgram(process.execPath, join(import.meta.dirname, 'hold.ts'));
  const [printed] = await once(launcher.stdout, 'data');
  const all = z.array(z.int()).parse(JSON.parse(String(printed)));
  // Per fixture 1 + 2 + 1 + 2 + 2 + 1 processes and a primary; a daemon for each of two kinds under pm2; the guardian.
  expect(all).toHaveLength(2 * (9 + 1) + 2 + 1);
  expect(all.every(isAlive)).toBe(true);
  expect(place.runFolders()).toHaveLength(1);
  await launcher.end();
  await place.untilEmpty(CLEARED_MS);
  // A process that is about to exit is still there, but can't be found by its environment.
  await eventually(() => !all.some(isAlive), CLEARED_MS);
  expect(all.filter(isAlive)).toEqual([]);
});

/** SIGHUP, SIGINT and SIGTERM in a mask of signals. */
const HANGUP_TO_TERM = 0x4003n;

test('the guardian survives the signals of a terminal, and kills only what was reported', async () => {
  await using guarded = startProgram('sleep', '60');
  await using released = startProgram('sleep', '60');
  const guardian = startGuardian();
  for (const { pid } of [guarded, released]) guardian.guard(pid);
  guardian.release(released.pid);
  // It takes a moment until it catches these.
  const caught = () => BigInt(`0x${statusOf(guardian.pid, 'SigCgt') || 0}`) & HANGUP_TO_TERM;
  expect(await eventually(() => caught() === HANGUP_TO_TERM, CLEARED_MS)).toBe(true);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.kill(guardian.pid, signal);
  expect(await eventually(() => !isAlive(guardian.pid), 200)).toBe(false);
  await guardian[Symbol.asyncDispose]();
  const pids = [guarded.pid, released.pid, guardian.pid];
  expect(pids.map(isAlive)).toEqual([false, true, false]);
  expect(existsSync(guardian.folder)).toBe(false);
});

test('the folder of a guardian that was killed is removed', async () => {
  const guardian = startGuardian();
  expect(place.runFolders()).toHaveLength(1);
  process.kill(guardian.pid, 'SIGKILL');
  expect(await eventually(() => !isAlive(guardian.pid), CLEARED_MS)).toBe(true);
  await guardian[Symbol.asyncDispose]();
  expect(place.runFolders()).toEqual([]);
});

const UNFIT = ['with space', 'x'.repeat(60)];
test.each(UNFIT)('a temporary folder that pm2 can not use is replaced: "%s"', async (folder) => {
  vi.stubEnv('TMPDIR', join(place.folder, folder));
  onTestFinished(() => void vi.unstubAllEnvs());
  await using guardian = startGuardian();
  expect(guardian.folder).toMatch(/^\/tmp\/overhead-\w+$/);
  expect(existsSync(guardian.folder)).toBe(true);
});
