import { existsSync, mkdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startLaunchSession } from '../../src/launch/session.ts';
import { isAlive } from '../../src/system/processes.ts';
import { payloadOf } from '../../src/targets/exchange.ts';
import { fixture, running, SINGLE, serversIn } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';

const place = ownPlace();
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
