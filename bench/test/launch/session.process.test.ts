import { expect, test } from 'vitest';
import { startLaunchSession } from '../../src/launch/session.ts';
import { isAlive } from '../../src/system/processes.ts';
import { payloadOf } from '../../src/targets/exchange.ts';
import { fixture, refsOf, running, SINGLE } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';

const place = ownPlace();
const NEVER = new AbortController().signal;
/** Above the largest pid that Linux can give. */
const NOBODY = 2 ** 22 + 1;

function wanted(...names: string[]) {
  const targets = names.map(fixture);
  return { refs: refsOf(names, [SINGLE]), topologies: [SINGLE], targets, services: [] };
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
    await expect(session.readMemory([NOBODY])).rejects.toThrow();
    const probed = await session.probe({ target: fixture('ok-too'), isDeclared: false }, 200);
    expect(probed).toMatchObject({
      samples: [payloadOf(Buffer.from('Hello World!'))],
      bytes: 12,
      pipelines: true,
    });
    // It ran for as long as that took.
    expect(place.processes().map(({ pid }) => pid)).toEqual(expect.arrayContaining(pids));
    expect(place.processes()).toHaveLength(pids.length);
  }
  expect(pids.filter(isAlive)).toEqual([]);
  expect(place.processes()).toEqual([]);
});

test('aborting its signal interrupts what it starts', async () => {
  const reason = new Error('the user has had enough');
  const abort = new AbortController();
  await using session = startLaunchSession(abort.signal);
  const starting = session.start(wanted('slow-start'));
  setTimeout(() => abort.abort(reason), 100);
  await expect(starting).rejects.toBe(reason);
});
