import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HOST, type ServerSpec } from '../../src/launch/server.ts';
import { verify } from '../../src/launch/verify.ts';
import type { Manager, Topology } from '../../src/plan/topology.ts';
import { isAlive } from '../../src/system/processes.ts';
import {
  CLUSTER_OF_2,
  fixture,
  launched,
  managersIn,
  processesIn,
  running,
  SINGLE,
  specOf,
  startContext,
  startFixtures,
  TOPOLOGIES,
  WAYS,
} from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { eventually } from '../support/processes.ts';

const place = ownPlace();

const GOOD = ['ok', 'ok-too', 'slow-start', 'ignores-sigterm'];
const BAD = ['wrong-body', 'wrong-status', 'crash-at-once'];

test.each(TOPOLOGIES)(
  'as $id, kept by $manager, servers run or fail each by itself, and are gone afterwards',
  async (topology) => {
    const { id, manager } = topology;
    const processes = processesIn(topology);
    const managers = managersIn(topology);
    const pids: number[] = [];
    {
      await using guarded = startContext();
      const startedMs = performance.now();
      await using ready = await startFixtures([...BAD, ...GOOD], [topology], guarded.context);
      // So long one of them takes to listen.
      expect(performance.now() - startedMs).toBeGreaterThan(1500);
      expect([...ready.servers.keys()].sort()).toEqual(GOOD.map((name) => `${name}/${id}`).sort());
      for (const server of ready.servers.values()) {
        place.watch(server.spec.port);
        expect(server.pids).toHaveLength(processes);
        expect(server.managerPids).toHaveLength(managers);
        expect(await answeringProcesses(server.origin)).toEqual(new Set(server.pids));
        pids.push(...server.pids, ...server.managerPids);
      }
      // A daemon of pm2 is common to all.
      const common = manager === 'node:cluster' ? GOOD.length : managers;
      expect(new Set(pids).size).toBe(GOOD.length * processes + common);
      const seen = place.processes().map(({ pid }) => pid);
      expect(seen).toEqual(expect.arrayContaining([...pids, guarded.guardian]));
      expect(place.runFolders()).toHaveLength(1);

      const byName = ready.notReady.toSorted((a, b) => (a.server < b.server ? -1 : 1));
      const [crashed, ...wrong] = byName;
      expect(wrong).toEqual([
        {
          ...{ server: `wrong-body/${id}`, when: 'verify', logTail: [], died: false },
          message: 'it answered with the body "Goodbye World!" instead of "Hello World!"',
        },
        {
          ...{ server: `wrong-status/${id}`, when: 'verify', logTail: [], died: false },
          message: 'it answered with status 503 instead of 200',
        },
      ]);
      expect(crashed).toMatchObject({ server: `crash-at-once/${id}`, when: 'start', died: true });
      expect(crashed?.message).toMatch(CRASHES[manager]);
      expect(crashed?.logTail).toContain('no licence file: giving up');
    }
    expect(pids.filter(isAlive)).toEqual([]);
  },
);

/** What a server is said to have done that crashes as it starts; pm2 may still list it then. */
const PM2 = /^(\d of \d workers were online after the start|it ended while starting)$/;
const CRASHES: Record<Manager, RegExp> = {
  none: /^it ended with code 1 while starting$/,
  'node:cluster': /^(it|a worker) ended with code 1 while starting$/,
  'worker threads': /^(it|a worker) ended with code 1 while starting$/,
  SO_REUSEPORT: /^it ended with code 1 while starting$/,
  pm2: PM2,
  'pm2 with pmx': PM2,
  'pm2 fork': PM2,
};

test('a server that never listens fails with the time limit and what it wrote', async () => {
  await using guarded = startContext({ startTimeoutMs: 2000 });
  await using ready = await startFixtures(['never-listens'], WAYS, guarded.context);
  expect(ready.servers.size).toBe(0);
  expect(ready.notReady).toEqual(
    WAYS.map(({ id, manager, processes }) => ({
      ...{ server: `never-listens/${id}`, when: 'start', died: false },
      message:
        manager === 'node:cluster' || manager === 'worker threads'
          ? '0 of 2 workers listened within 2 s'
          : 'it accepted no connection within 2 s',
      // Of processes of their own it tells those of the first that failed.
      logTail: Array(manager === 'SO_REUSEPORT' ? 1 : processes).fill(
        'waiting for a database that is not there',
      ),
    })),
  );
});

test('a port that another process listens on is a clear failure', async () => {
  await using other = createServer((_request, response) => response.end('Hello World!'));
  await new Promise<void>((resolve) => other.listen(0, HOST, resolve));
  await using guarded = startContext();
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const specs = await specsOf(WAYS);
  await using starting = await launched(
    specs.map((spec) => ({ ...spec, port })),
    guarded.context,
  );
  expect(starting.started).toHaveLength(WAYS.length);
  for (const { spec, outcome } of starting.started) {
    if (outcome.state === 'failed') {
      const { died, logTail } = outcome.failure;
      expect({ key: spec.key, died }).toEqual({ key: spec.key, died: true });
      expect(logTail.join('\n'), spec.key).toContain('EADDRINUSE');
    } else {
      // It has not noticed yet.
      expect(await verify(outcome.server, guarded.context), spec.key).toEqual({
        state: 'failed',
        message: `another process listens on its port ${port}`,
      });
    }
  }
});

test('a server that dies before it was verified fails, and nothing is thrown', async () => {
  await using guarded = startContext();
  await using starting = await launched(await specsOf(WAYS), guarded.context);
  const servers = starting.started.map(({ outcome }) => {
    if (outcome.state === 'failed') throw new Error(outcome.failure.message);
    return outcome.server;
  });
  const pids = servers.flatMap((server) => server.pids);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  // Gone altogether: not even a zombie tells anything of it any more.
  const gone = () => !pids.some((pid) => existsSync(`/proc/${pid}`));
  expect(await eventually(gone, 5000)).toBe(true);
  for (const server of servers) {
    expect(await verify(server, guarded.context)).toEqual({
      state: 'failed',
      message: `it gave no answer: connect ECONNREFUSED ${HOST}:${server.spec.port}`,
    });
  }
});

// The moments are spread over what a start is made of; none of them may matter.
test.each(WAYS)('aborting a start of $id at any moment leaves nothing', async (topology) => {
  const reason = new Error('the user has had enough');
  const aborting = [50, 250, 700].map(async (delayMs) => {
    const abort = new AbortController();
    await using guarded = startContext({ signal: abort.signal });
    const start = startFixtures(['slow-start', 'ok'], [topology], guarded.context);
    setTimeout(() => abort.abort(reason), delayMs);
    await expect(start).rejects.toBe(reason);
  });
  await Promise.all(aborting);
  expect(place.processes()).toEqual([]);
});

function specsOf(topologies: Topology[]): Promise<ServerSpec[]> {
  return Promise.all(
    topologies.map(async (topology) => {
      const spec = await specOf(fixture('ok'), topology);
      place.watch(spec.port);
      return spec;
    }),
  );
}

test('a command that is not node runs as one plain process', async () => {
  await using guarded = startContext();
  await using ready = await startFixtures(['not-node'], [SINGLE], guarded.context);
  const server = running(ready, 'not-node/single');
  expect(await answeringProcesses(server.origin)).toEqual(new Set(server.pids));
});

test('where one kind can not be started, what started beside it is stopped', async () => {
  await using guarded = startContext();
  const { context } = guarded;
  writeFileSync(join(context.folder, `pm2-${CLUSTER_OF_2.id}`), 'where its home would be');
  const start = startFixtures(['ok'], [SINGLE, CLUSTER_OF_2], context);
  await expect(start).rejects.toThrow('EEXIST');
  const left = place.processes().filter(({ pid }) => pid !== guarded.guardian);
  expect(left).toEqual([]);
});

test('a command that does not exist is a failure with its name', async () => {
  await using guarded = startContext();
  const target = { ...fixture('ok'), start: ['no-such-command-here'] satisfies [string] };
  await using starting = await launched([await specOf(target, SINGLE)], guarded.context);
  expect(starting.started.map(({ outcome }) => outcome)).toMatchObject([
    {
      state: 'failed',
      failure: {
        message: 'it ended with code 127 while starting',
        logTail: [expect.stringContaining('no-such-command-here')],
      },
    },
  ]);
});

/** The processes that answer on this origin, over enough connections to meet them all. */
async function answeringProcesses(origin: string): Promise<Set<number>> {
  const pids = new Set<number>();
  for (let attempt = 0; attempt < 30; attempt++) {
    const response = await fetch(origin, { headers: { connection: 'close' } });
    expect(await response.text()).toBe('Hello World!');
    pids.add(Number(response.headers.get('x-process')));
  }
  return pids;
}
