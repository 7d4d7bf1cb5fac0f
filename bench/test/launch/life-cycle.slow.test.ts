import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { startVerified } from '../../src/launch/ready.ts';
import { HOST, type ServerSpec } from '../../src/launch/server.ts';
import { verify } from '../../src/launch/verify.ts';
import type { Manager, Topology } from '../../src/plan/topology.ts';
import { CAN_PIN } from '../../src/system/pin.ts';
import { isAlive } from '../../src/system/processes.ts';
import { perRuntime } from '../../src/targets/copies.ts';
import type { LocalRuntime } from '../../src/targets/runtime.ts';
import { OLDEST, OLDEST_VERSION } from '../support/fake-npm.ts';
import {
  CLUSTER_OF_2,
  failureOf,
  fixture,
  launched,
  managersIn,
  processesIn,
  refsOf,
  running,
  SINGLE,
  scripted,
  serverOf,
  specOf,
  startContext,
  startFixtures,
  startOne,
  startTargets,
  TOPOLOGIES,
  WAYS,
} from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { listening } from '../support/listening.ts';
import { eventually } from '../support/processes.ts';

const place = ownPlace();

const GOOD = ['ok', 'ok-too', 'slow-start', 'ignores-sigterm'];
/** Above the most cores that Linux can have. */
const NO_CORE = 8192;
const BAD = ['wrong-body', 'wrong-status', 'crash-at-once'];

test.each(TOPOLOGIES)(
  'as $id under $manager servers run or fail independently, and are gone afterwards',
  async (topology) => {
    const { id, manager } = topology;
    const processes = processesIn(topology);
    const managers = managersIn(topology);
    const pids: number[] = [];
    {
      const startedMs = performance.now();
      await using ready = await startFixtures([...BAD, ...GOOD], [topology]);
      // One of them takes this long to listen.
      expect(performance.now() - startedMs).toBeGreaterThan(1500);
      expect([...ready.servers.keys()].sort()).toEqual(GOOD.map((name) => `${name}/${id}`).sort());
      for (const server of ready.servers.values()) {
        place.watch(server.spec.port);
        pids.push(...server.pids, ...server.managerPids);
      }
      // All share a pm2 daemon.
      const common = manager === 'node:cluster' ? GOOD.length : managers;
      expect(new Set(pids).size).toBe(GOOD.length * processes + common);
      const seen = place.processes().map(({ pid }) => pid);
      expect(seen).toEqual(expect.arrayContaining([...pids, ready.guardian]));
      expect(place.runFolders()).toHaveLength(1);

      const wrong = { when: 'verify', logTail: [], died: false };
      const body = 'it answered with the body "Goodbye World!" instead of "Hello World!"';
      const status = 'it answered with status 503 instead of 200';
      expect(ready.notReady.toSorted((a, b) => (a.server < b.server ? -1 : 1))).toEqual([
        {
          ...{ server: `crash-at-once/${id}`, when: 'start', died: true },
          message: expect.stringMatching(CRASHES[manager]),
          logTail: expect.arrayContaining(['no licence file: giving up']),
        },
        { ...wrong, server: `wrong-body/${id}`, message: body },
        { ...wrong, server: `wrong-status/${id}`, message: status },
      ]);
    }
    expect(pids.filter(isAlive)).toEqual([]);
  },
);

/** The messages about a server that crashes as it starts; pm2 may still list it then. */
const PM2 = /^(\d of \d workers were online after the start|it ended while starting)$/;
const PLAIN = /^it ended with code 1 while starting$/;
const PRIMARY = /^(it|a worker) ended with code 1 while starting$/;
const CRASHES: Record<Manager, RegExp> = {
  none: PLAIN,
  'node:cluster': PRIMARY,
  'worker threads': PRIMARY,
  SO_REUSEPORT: PLAIN,
  pm2: PM2,
  'pm2 with pmx': PM2,
  'pm2 fork': PM2,
};

test('a server that never listens fails with the time limit and what it wrote', async () => {
  await using ready = await startFixtures(['never-listens'], WAYS, { startTimeoutMs: 2000 });
  expect(ready.servers.size).toBe(0);
  expect(ready.notReady).toEqual(
    WAYS.map(({ id, manager, processes }) => ({
      ...{ server: `never-listens/${id}`, when: 'start', died: false },
      message:
        manager === 'node:cluster' || manager === 'worker threads'
          ? '0 of 2 workers listened within 2 s'
          : 'it accepted no connection within 2 s',
      logTail: Array(processes).fill('waiting for a database that is not there'),
    })),
  );
});

test('a port that another process listens on is a clear failure', async () => {
  await using other = createServer((_request, response) => response.end('Hello World!'));
  const port = await listening(other);
  const specs = (await specsOfWays()).map((spec) => ({ ...spec, port }));
  await using starting = await launched(specs);
  expect(starting.started).toHaveLength(WAYS.length);
  for (const started of starting.started) {
    if (started.state === 'failed') {
      const { died, logTail } = started.failure;
      expect(died, started.spec.key).toBe(true);
      expect(logTail.join('\n'), started.spec.key).toContain('EADDRINUSE');
    } else {
      // It has not failed yet.
      const message = `another process listens on its port ${port}`;
      await expect(verify(started.server, starting.context)).rejects.toThrow(message);
    }
  }
});

test('a server that dies before its verification fails it', async () => {
  await using starting = await launched(await specsOfWays());
  const servers = starting.started.map(serverOf);
  const pids = servers.flatMap((server) => server.pids);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  // Not even zombies.
  const gone = () => !pids.some((pid) => existsSync(`/proc/${pid}`));
  expect(await eventually(gone, 5000)).toBe(true);
  for (const server of servers) {
    const message = `it gave no answer: connect ECONNREFUSED ${HOST}:${server.spec.port}`;
    await expect(verify(server, starting.context)).rejects.toThrow(message);
  }
});

// The delays cover all phases of a start.
test.each(WAYS)('aborting a start of $id at any moment leaves nothing', async (topology) => {
  const reason = new Error('the user has had enough');
  const aborting = [50, 250, 700].map(async (delayMs) => {
    const abort = new AbortController();
    const { signal } = abort;
    const start = startFixtures(['slow-start', 'ok'], [topology], { signal });
    setTimeout(() => abort.abort(reason), delayMs);
    await expect(start).rejects.toBe(reason);
  });
  await Promise.all(aborting);
  expect(place.processes()).toEqual([]);
});

function specsOfWays(): Promise<ServerSpec[]> {
  return Promise.all(
    WAYS.map(async (topology) => {
      const spec = await specOf(fixture('ok'), topology);
      place.watch(spec.port);
      return spec;
    }),
  );
}

test.runIf(CAN_PIN)('if one kind can not be started, servers of others are stopped', async () => {
  await using guarded = startContext();
  const { context, guardian } = guarded;
  const topologies = [SINGLE, { ...CLUSTER_OF_2, cores: [NO_CORE] }];
  const wanted = { refs: refsOf(['ok'], topologies), topologies, targets: [fixture('ok')] };
  await expect(startVerified({ ...wanted, services: [] }, context)).rejects.toThrow('taskset');
  expect(place.processes().filter(({ pid }) => pid !== guardian)).toEqual([]);
});

test('a command other than node runs as one process, or fails with its name if there is none', async () => {
  await using ready = await startFixtures(['not-node'], [SINGLE]);
  expect(running(ready, 'not-node/single').pids).toHaveLength(1);
  const target = { ...fixture('ok'), start: ['no-such-command-here'] satisfies [string] };
  await using started = await startOne(target, SINGLE);
  expect(failureOf(started.one)).toMatchObject({
    message: 'it ended with code 127 while starting',
    logTail: [expect.stringContaining('no-such-command-here')],
  });
});

const RUNTIMES: LocalRuntime[] = [
  { kind: 'node', version: OLDEST_VERSION, program: OLDEST },
  { kind: 'node', version: process.versions.node, program: process.execPath },
];

test('servers on two runtimes run at once under every manager', async () => {
  const header = "response.setHeader('x-version', process.versions.node)";
  const script = `serve(({ hello }) => (response) => hello(${header}));`;
  const targets = perRuntime([scripted(place.folder, 'telling', script)], RUNTIMES);
  await using ready = await startTargets(targets, WAYS);
  // Old versions can't share a port by themselves.
  const isSharing = ({ manager }: Topology) => {
    return manager === 'SO_REUSEPORT' || manager === 'worker threads';
  };
  const refused = ready.notReady.map(({ server, logTail }) => [server, logTail.join('\n')]);
  const why = expect.stringContaining(`Node ${OLDEST_VERSION} can't share a port: 22.12`);
  const sharing = WAYS.filter(isSharing);
  expect(refused).toEqual(sharing.map(({ id }) => [`telling@node-${OLDEST_VERSION}/${id}`, why]));
  const told = [...ready.servers].map(async ([key, { origin }]) => {
    const { headers } = await fetch(origin, { headers: { connection: 'close' } });
    return [key, headers.get('x-version')];
  });
  const expected = WAYS.flatMap((topology) => {
    return RUNTIMES.slice(isSharing(topology) ? 1 : 0).map(({ version }) => {
      return [`telling@node-${version}/${topology.id}`, version];
    });
  });
  expect(Object.fromEntries(await Promise.all(told))).toEqual(Object.fromEntries(expected));
});
