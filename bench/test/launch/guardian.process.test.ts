import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startGuardian } from '../../src/launch/guardian.ts';
import { isAlive } from '../../src/system/processes.ts';
import { TOPOLOGIES } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { eventually } from '../support/processes.ts';

const place = ownPlace();

/** How long the guardian may take to clear up behind a harness that was killed. */
const CLEARED_MS = 10_000;
const HOLD = join(import.meta.dirname, 'hold.ts');

/** A process that starts these fixtures in these topologies, until it is killed. */
function hold(names: string[], topologies = TOPOLOGIES) {
  const ids = topologies.map(({ id }) => id);
  const child = execa(process.execPath, [HOLD, JSON.stringify(names), JSON.stringify(ids)], {
    extendEnv: false,
    env: place.environment,
    stderr: 'inherit',
    reject: false,
  });
  return { child, lines: child.iterable()[Symbol.asyncIterator]() };
}

const heldSchema = z.object({ guardian: z.int(), pids: z.array(z.int()) });

async function held({ lines }: ReturnType<typeof hold>) {
  expect((await lines.next()).value).toBe('starting');
  return heldSchema.parse(JSON.parse(z.string().parse((await lines.next()).value)));
}

test.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)(
  'a launcher that %s ends leaves no process, no daemon and no folder',
  async (signal) => {
    const launcher = hold(['ok', 'ignores-sigterm']);
    const { guardian, pids } = await held(launcher);
    // For each fixture 1 + 2 + 1 + 1 + 2 + 2 processes and a primary; a daemon for each kind of pm2's.
    expect(pids).toHaveLength(2 * (9 + 1) + 4);
    expect([guardian, ...pids].every(isAlive)).toBe(true);
    expect(place.runFolders()).toHaveLength(1);
    launcher.child.kill(signal);
    await launcher.child;
    await place.untilEmpty(CLEARED_MS);
    expect([guardian, ...pids].filter(isAlive)).toEqual([]);
  },
);

// The moments are spread over what a start is made of, closest where processes are born; none of
// them may matter.
test.each([
  { when: '5 to 70 ms', delaysMs: [5, 10, 15, 20, 25, 30, 40, 50, 70] },
  { when: '100 to 1000 ms', delaysMs: [100, 200, 350, 600, 1000] },
])('a launcher that is killed $when into its start leaves nothing', async ({ delaysMs }) => {
  for (const delayMs of delaysMs) {
    const launcher = hold(['ok', 'slow-start']);
    expect((await launcher.lines.next()).value).toBe('starting');
    expect(place.runFolders()).toHaveLength(1);
    await sleep(delayMs);
    launcher.child.kill('SIGKILL');
    expect((await launcher.lines.next()).value).toBeUndefined();
    await place.untilEmpty(CLEARED_MS);
  }
});

// A start takes a second or less; several at once take longer, and their moments shift.
test.each(TOPOLOGIES)(
  'launchers that are killed at any moment of the start of $id leave nothing',
  async (topology) => {
    await Promise.all(
      [100, 200, 300, 450, 600, 900, 1300].map(async (delayMs) => {
        const launcher = hold(['ok'], [topology]);
        expect((await launcher.lines.next()).value).toBe('starting');
        await sleep(delayMs);
        launcher.child.kill('SIGKILL');
        await launcher.child;
      }),
    );
    await place.untilEmpty(CLEARED_MS);
  },
);

test('the guardian outlives signals that a terminal sends to everybody', async () => {
  const launcher = hold(['ok']);
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
