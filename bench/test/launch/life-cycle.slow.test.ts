import { expect, test } from 'vitest';
import { startVerified } from '../../src/launch/ready.ts';
import type { Manager } from '../../src/plan/topology.ts';
import { CAN_PIN } from '../../src/system/pin.ts';
import { isAlive } from '../../src/system/processes.ts';
import { perRuntime } from '../../src/targets/copies.ts';
import type { LocalRuntime } from '../../src/targets/runtime.ts';
import { OLDEST, OLDEST_VERSION } from '../support/fake-npm.ts';
import {
  fixture,
  running,
  scripted,
  serversIn,
  startContext,
  startFixtures,
  startOne,
  startTargets,
} from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { CLUSTER_OF_2, SINGLE, WAYS } from '../support/topologies.ts';

const place = ownPlace();

/** Above the most cores that Linux can have. */
const NO_CORE = 8192;

const hasPrimary = (manager: Manager) => {
  return manager === 'node:cluster' || manager === 'worker threads';
};

/** The message about a server that crashes as it starts. */
function crashMessage(manager: Manager): RegExp {
  if (hasPrimary(manager)) return /^(it|a worker) ended with code 1 while starting$/;
  // pm2 may still list it.
  if (manager.startsWith('pm2')) {
    return /^(\d of \d workers were online after the start|it ended while starting)$/;
  }
  return /^it ended with code 1 while starting$/;
}

test('servers of all kinds run or fail independently, and are gone afterwards', async () => {
  const good = ['ignores-sigterm', 'ok', 'slow-start'];
  const pids: number[] = [];
  {
    const names = [...good, 'crash-at-once', 'wrong-body'];
    await using ready = await startFixtures(names, WAYS, { startTimeoutMs: 60_000 });
    for (const server of ready.servers.values()) {
      place.watch(server.spec.port);
      pids.push(...server.pids, ...server.managerPids);
    }
    const started = WAYS.flatMap(({ id }) => good.map((name) => `${name}/${id}`));
    expect(new Set(ready.servers.keys())).toEqual(new Set(started));
    const failed = WAYS.flatMap(({ id, manager }) => [
      {
        ...{ server: `crash-at-once/${id}`, when: 'start', died: true },
        message: expect.stringMatching(crashMessage(manager)),
        logTail: expect.arrayContaining(['no licence file: giving up']),
      },
      {
        ...{ server: `wrong-body/${id}`, when: 'verify', died: false, logTail: [] },
        message: 'it answered with the body "Goodbye World!" instead of "Hello World!"',
      },
    ]);
    expect(ready.notReady).toHaveLength(failed.length);
    expect(ready.notReady).toEqual(expect.arrayContaining(failed));
  }
  expect(pids.filter(isAlive)).toEqual([]);
});

test('a server that never listens fails with the time limit and what it wrote', async () => {
  await using ready = await startFixtures(['never-listens'], WAYS, { startTimeoutMs: 2000 });
  expect(ready.servers.size).toBe(0);
  expect(ready.notReady).toEqual(
    WAYS.map(({ id, manager, processes }) => ({
      ...{ server: `never-listens/${id}`, when: 'start', died: false },
      message: hasPrimary(manager)
        ? '0 of 2 workers listened within 2 s'
        : 'it accepted no connection within 2 s',
      logTail: Array(processes).fill('waiting for a database that is not there'),
    })),
  );
});

test.each([50, 400, 1000])('a start that is aborted after %i ms leaves nothing', async (ms) => {
  const reason = new Error('the user has had enough');
  const abort = new AbortController();
  setTimeout(() => abort.abort(reason), ms);
  const start = startFixtures(['slow-start', 'ok'], WAYS, { signal: abort.signal });
  await expect(start).rejects.toBe(reason);
  expect(place.processes()).toEqual([]);
});

test.runIf(CAN_PIN)('if one kind can not be started, servers of others are stopped', async () => {
  await using guarded = startContext();
  const { context, guardian } = guarded;
  const topologies = [SINGLE, { ...CLUSTER_OF_2, cores: [NO_CORE] }];
  const servers = serversIn(topologies, [fixture('ok')]);
  await expect(startVerified({ servers, services: [] }, context)).rejects.toThrow('taskset');
  expect(place.processes().filter(({ pid }) => pid !== guardian)).toEqual([]);
});

test('a command other than node runs as one process, or fails with its name if there is none', async () => {
  await using ready = await startFixtures(['not-node'], [SINGLE]);
  expect(running(ready, 'not-node/single').pids).toHaveLength(1);
  const target = { ...fixture('ok'), start: ['no-such-command-here'] satisfies [string] };
  await using started = await startOne(target, SINGLE);
  const logTail = [expect.stringContaining('no-such-command-here')];
  const message = 'it ended with code 127 while starting';
  expect(started.notReady).toMatchObject([{ message, logTail }]);
});

const RUNTIMES: LocalRuntime[] = [
  { kind: 'node', version: OLDEST_VERSION, program: OLDEST },
  { kind: 'node', version: process.versions.node, program: process.execPath },
];

test('servers on two runtimes run at once under every manager', async () => {
  const header = "response.setHeader('x-version', process.versions.node)";
  const script = `serve(({ hello }) => (response) => hello(${header}));`;
  const targets = perRuntime([scripted(place.write, 'telling', script)], RUNTIMES);
  await using ready = await startTargets(targets, WAYS);
  // Old versions can't share a port by themselves.
  const sharing = WAYS.filter(({ manager }) => {
    return manager === 'SO_REUSEPORT' || manager === 'worker threads';
  });
  const refused = ready.notReady.map(({ server, logTail }) => [server, logTail.join('\n')]);
  const why = expect.stringContaining(`Node ${OLDEST_VERSION} can't share a port: 22.12`);
  expect(refused).toEqual(sharing.map(({ id }) => [`telling@node-${OLDEST_VERSION}/${id}`, why]));
  expect(ready.servers.size).toBe(2 * WAYS.length - sharing.length);
  for (const [key, { origin }] of ready.servers) {
    const { headers } = await fetch(origin, { headers: { connection: 'close' } });
    expect(key).toContain(`telling@node-${headers.get('x-version')}/`);
  }
});
