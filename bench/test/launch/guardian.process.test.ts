import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startGuardian } from '../../src/launch/guardian.ts';
import { isAlive } from '../../src/system/processes.ts';
import { SINGLE, WAYS } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { eventually } from '../support/processes.ts';
import { CLEARED_MS, held, hold, killAfter } from './holding.ts';

const place = ownPlace();

test('a launcher that SIGKILL ends leaves no process, no daemon and no folder', async () => {
  const launcher = hold(place, ['ok', 'ignores-sigterm'], WAYS);
  const { guardian, pids } = await held(launcher);
  // For each fixture 1 + 2 + 1 + 2 processes and a primary; a daemon for each kind of pm2's.
  expect(pids).toHaveLength(2 * (6 + 1) + 2);
  expect([guardian, ...pids].every(isAlive)).toBe(true);
  expect(place.runFolders()).toHaveLength(1);
  launcher.child.kill('SIGKILL');
  await launcher.child;
  await place.untilEmpty(CLEARED_MS);
  expect([guardian, ...pids].filter(isAlive)).toEqual([]);
});

test('neither does one that any other signal ends', async () => {
  const launchers = (['SIGTERM', 'SIGINT'] as const).map(async (signal) => {
    const launcher = hold(place, ['ok', 'ignores-sigterm'], [SINGLE]);
    const { guardian, pids } = await held(launcher);
    launcher.child.kill(signal);
    expect((await launcher.child).signal).toBe(signal);
    return [guardian, ...pids];
  });
  const all = (await Promise.all(launchers)).flat();
  expect(all).toHaveLength(2 * (1 + 2));
  await place.untilEmpty(CLEARED_MS);
  expect(all.filter(isAlive)).toEqual([]);
});

test('a launcher that is killed in the middle of its start leaves nothing', async () => {
  await Promise.all(
    [20, 400].map((delayMs) => killAfter(hold(place, ['ok', 'slow-start'], WAYS), delayMs)),
  );
  await place.untilEmpty(CLEARED_MS);
});

test('the guardian outlives signals that a terminal sends to everybody', async () => {
  const launcher = hold(place, ['ok'], [SINGLE]);
  const { guardian, pids } = await held(launcher);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(guardian, signal);
  expect(await eventually(() => !isAlive(guardian), 200)).toBe(false);
  launcher.child.kill('SIGKILL');
  await place.untilEmpty(CLEARED_MS);
  expect(pids.filter(isAlive)).toEqual([]);
});

test('the folder goes where the guardian was killed before', async () => {
  const guardian = startGuardian();
  expect(place.runFolders()).toHaveLength(1);
  process.kill(guardian.pid, 'SIGKILL');
  expect(await eventually(() => !isAlive(guardian.pid), CLEARED_MS)).toBe(true);
  await guardian[Symbol.asyncDispose]();
  expect(place.runFolders()).toEqual([]);
});

test('the guardian kills what it was told of and not what was released again', async () => {
  const sleeper = () =>
    execa(process.execPath, ['-e', 'setInterval(() => {}, 60_000)'], {
      detached: true,
      reject: false,
    });
  const guarded = sleeper();
  const released = sleeper();
  try {
    const guardian = startGuardian();
    for (const { pid } of [guarded, released]) guardian.guard(z.int().parse(pid));
    guardian.release(z.int().parse(released.pid));
    await guardian[Symbol.asyncDispose]();
    expect((await guarded).signal).toBe('SIGKILL');
    expect(isAlive(z.int().parse(released.pid))).toBe(true);
    expect(existsSync(guardian.folder)).toBe(false);
    expect(isAlive(guardian.pid)).toBe(false);
  } finally {
    guarded.kill('SIGKILL');
    released.kill('SIGKILL');
    await released;
  }
});

test.each([
  { name: 'holds a space', folder: 'with space' },
  { name: 'is too long for a socket', folder: 'x'.repeat(60) },
])('where the temporary folder $name, another is taken', async ({ folder }) => {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = join(place.folder, folder);
  try {
    await using guardian = startGuardian();
    expect(guardian.folder).toMatch(/^\/tmp\/overhead-\w+$/);
    expect(existsSync(guardian.folder)).toBe(true);
  } finally {
    process.env.TMPDIR = before;
  }
});
