import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { startGuardian } from '../../src/launch/guardian.ts';
import { isAlive } from '../../src/system/processes.ts';
import { CAN_LIMIT, groupsOf } from '../support/control-groups.ts';
import { CLUSTER_OF_2, SINGLE, WAYS } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { statusOf } from '../support/process-status.ts';
import { eventually } from '../support/processes.ts';
import { CLEARED_MS, held, hold, killAfter } from './holding.ts';

const place = ownPlace();

test('a launcher that SIGKILL ends leaves no process, no daemon and no folder', async () => {
  const launcher = hold(place, ['ok', 'ignores-sigterm'], WAYS);
  const { guardian, pids } = await held(launcher);
  // For each fixture 1 + 2 + 1 + 2 + 2 + 1 processes and a primary; a daemon for each kind of pm2's.
  expect(pids).toHaveLength(2 * (9 + 1) + 2);
  expect([guardian, ...pids].every(isAlive)).toBe(true);
  expect(place.runFolders()).toHaveLength(1);
  launcher.child.kill('SIGKILL');
  await launcher.child;
  await place.untilEmpty(CLEARED_MS);
  await untilDead([guardian, ...pids]);
});

test.skipIf(!CAN_LIMIT)('and no control group of servers with a CPU limit', async () => {
  const launcher = hold(place, ['ok'], [SINGLE, CLUSTER_OF_2], 0.5);
  // A plain process; two of pm2 with their daemon.
  expect((await held(launcher)).pids).toHaveLength(4);
  const runs = place.runFolders();
  expect(groupsOf(runs)).toHaveLength(2);
  launcher.child.kill('SIGKILL');
  await launcher.child;
  await place.untilEmpty(CLEARED_MS);
  expect(groupsOf(runs)).toEqual([]);
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
  await untilDead(all);
});

test('a launcher that is killed in the middle of its start leaves nothing', async () => {
  await Promise.all(
    [20, 400].map((delayMs) => killAfter(hold(place, ['ok', 'slow-start'], WAYS), delayMs)),
  );
  await place.untilEmpty(CLEARED_MS);
});

/** One that is about to exit has no environment any more, by which it would be found, and is still there. */
async function untilDead(pids: number[]): Promise<void> {
  await eventually(() => !pids.some(isAlive), CLEARED_MS);
  expect(pids.filter(isAlive)).toEqual([]);
}

/** SIGHUP, SIGINT and SIGTERM in a mask of signals. */
const HANGUP_TO_TERM = 0x4003n;

/** A process of a group of its own, which does nothing. */
function sleeper() {
  return execa('sleep', ['60'], { detached: true, reject: false });
}

test('the guardian outlives what a terminal sends to everybody, and kills what it was told of alone', async () => {
  const [guarded, released] = [sleeper(), sleeper()];
  const [own, other] = [guarded, released].map(({ pid }) => z.int().parse(pid));
  try {
    const guardian = startGuardian();
    for (const pid of [own, other]) guardian.guard(z.int().parse(pid));
    guardian.release(z.int().parse(other));
    // It takes a while until it catches these.
    const caught = () => BigInt(`0x${statusOf(guardian.pid, 'SigCgt') || 0}`) & HANGUP_TO_TERM;
    expect(await eventually(() => caught() === HANGUP_TO_TERM, CLEARED_MS)).toBe(true);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.kill(guardian.pid, signal);
    }
    expect(await eventually(() => !isAlive(guardian.pid), 200)).toBe(false);
    await guardian[Symbol.asyncDispose]();
    expect((await guarded).signal).toBe('SIGKILL');
    expect(isAlive(z.int().parse(other))).toBe(true);
    expect([existsSync(guardian.folder), isAlive(guardian.pid)]).toEqual([false, false]);
  } finally {
    for (const child of [guarded, released]) child.kill('SIGKILL');
    await released;
  }
});

test('the folder goes where the guardian was killed before', async () => {
  const guardian = startGuardian();
  expect(place.runFolders()).toHaveLength(1);
  process.kill(guardian.pid, 'SIGKILL');
  expect(await eventually(() => !isAlive(guardian.pid), CLEARED_MS)).toBe(true);
  await guardian[Symbol.asyncDispose]();
  expect(place.runFolders()).toEqual([]);
});

test.each([
  { name: 'holds a space', folder: 'with space' },
  { name: 'is too long for a socket', folder: 'x'.repeat(60) },
])('where the temporary folder $name, another is taken', async ({ folder }) => {
  vi.stubEnv('TMPDIR', join(place.folder, folder));
  try {
    await using guardian = startGuardian();
    expect(guardian.folder).toMatch(/^\/tmp\/overhead-\w+$/);
    expect(existsSync(guardian.folder)).toBe(true);
  } finally {
    vi.unstubAllEnvs();
  }
});
