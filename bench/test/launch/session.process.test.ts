/** Guardians, and the sessions of launches that they clear up behind. */
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { startGuardian } from '../../src/launch/guardian.ts';
import { startLaunchSession } from '../../src/launch/session.ts';
import { isAlive } from '../../src/system/processes.ts';
import { payloadOf } from '../../src/targets/exchange.ts';
import { fixture, running, serversIn } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { eventually, startProgram, statusOf } from '../support/processes.ts';
import { SINGLE } from '../support/topologies.ts';

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

const NEVER = new AbortController().signal;
const HOUR_MS = 3_600_000;

function wanted(name: string) {
  return { servers: serversIn([SINGLE], [fixture(name)]), services: [] };
}

test('a session starts servers, reads their memory, probes others, and leaves nothing', async () => {
  const pids: number[] = [];
  {
    await using session = startLaunchSession(NEVER);
    expect(session.pids).toHaveLength(1);
    await using ready = await session.start(wanted('ok'));
    const server = running(ready, 'ok/single');
    place.watch(server.spec.port);
    pids.push(...session.pids, ...server.pids);
    expect(pids.every(isAlive)).toBe(true);
    expect(await session.readMemory(server.pids)).toBeGreaterThan(5e6);
    const probed = await session.probe({ ...fixture('ok-too'), hidesRequests: true }, 200);
    const samples = [payloadOf(Buffer.from('Hello World!'))];
    expect(probed).toMatchObject({ samples, bytes: 12, pipelines: true });
    // The probed server is gone.
    expect(new Set(place.processes().map(({ pid }) => pid))).toEqual(new Set(pids));
  }
  expect(pids.filter(isAlive)).toEqual([]);
  expect(place.processes()).toEqual([]);
});

test('two sessions know of each other until one has ended; aborting one interrupts its start', async () => {
  const reason = new Error('the user has had enough');
  const abort = new AbortController();
  await using one = startLaunchSession(abort.signal);
  {
    await using two = startLaunchSession(NEVER);
    expect([one.otherRuns(), two.otherRuns()]).toEqual([[process.pid], [process.pid]]);
  }
  expect(one.otherRuns()).toEqual([]);
  const starting = one.start(wanted('slow-start'));
  setTimeout(() => abort.abort(reason), 100);
  await expect(starting).rejects.toBe(reason);
});

test('a session removes the folder of one that died with its guardian, and no other', async () => {
  const folder = (name: string, ageMs: number) => {
    const path = join(place.folder, name);
    mkdirSync(path);
    const then = new Date(Date.now() - ageMs);
    utimesSync(path, then, then);
    return path;
  };
  const abandoned = folder('overhead-aBc123', HOUR_MS);
  const others = [folder('overhead-xYz789', 0), folder('overhead-notes-aBc123', HOUR_MS)];
  await using first = startLaunchSession(NEVER);
  expect(first.otherRuns()).toEqual([]);
  expect(existsSync(abandoned)).toBe(false);
  expect(others.map((path) => existsSync(path))).toEqual([true, true]);
  await using _second = startLaunchSession(NEVER);
  expect(place.runFolders()).toHaveLength(4);
  for (const path of others) rmSync(path, { recursive: true });
});
