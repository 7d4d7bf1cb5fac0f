/** What the kinds of topologies differ in, and what they must not differ in. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { environmentOf, type RunningServer } from '../../src/launch/server.ts';
import { verify } from '../../src/launch/verify.ts';
import type { Topology } from '../../src/plan/topology.ts';
import { describeMachine } from '../../src/system/machine.ts';
import { CAN_PIN } from '../../src/system/pin.ts';
import { isAlive } from '../../src/system/processes.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import {
  CLUSTER_OF_2,
  failureOf,
  fixture,
  MONITORED,
  managersIn,
  NODE_CLUSTER_OF_1,
  NODE_CLUSTER_OF_2,
  processesIn,
  running,
  SINGLE,
  scripted,
  serverOf,
  specOf,
  startFixtures,
  startOne,
  startTargets,
  THREADS_OF_2,
  TOPOLOGIES,
} from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { statusOf } from '../support/process-status.ts';
import { eventually } from '../support/processes.ts';

const place = ownPlace();
afterEach(() => {
  vi.unstubAllEnvs();
});

const serving = (name: string, script: string) => scripted(place.folder, name, script);

async function start(target: LocalTarget, topology: Topology, startTimeoutMs = 10_000) {
  const started = await startOne(target, topology, { startTimeoutMs });
  place.watch(started.port);
  return started;
}

/** What a server answers over so many connections of their own. */
async function answersOf({ origin }: Pick<RunningServer, 'origin'>, connections: number) {
  const answers: { text: string; headers: Headers }[] = [];
  for (let asked = 0; asked < connections; asked++) {
    const response = await fetch(origin, { headers: { connection: 'close' } });
    answers.push({ text: await response.text(), headers: response.headers });
  }
  return answers;
}

test('servers of all kinds run side by side, started alike', async () => {
  const [core = 0] = (await describeMachine([])).cores.slice(-1);
  const cores = CAN_PIN ? [core] : null;
  const topologies = [...TOPOLOGIES, NODE_CLUSTER_OF_1].map((each) => ({ ...each, cores }));
  const isKept = "Object.keys(require.cache).some((file) => file.endsWith('keep-heap.cjs'))";
  const script = `serve((own) => (response) => own.hello(response.setHeader('x-kept', ${isKept})))`;
  const targets = [serving('alike', script)];
  // The first `node` on the PATH is none of theirs.
  const folder = join(place.folder, 'path');
  mkdirSync(folder);
  const other = '#!/bin/sh\necho not this one >&2\nexit 1\n';
  writeFileSync(join(folder, 'node'), other, { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
  await using ready = await startTargets(targets, topologies);
  expect(ready.notReady).toEqual([]);
  const ports = [...ready.servers.values()].map(({ spec }) => spec.port);
  expect(new Set(ports).size).toBe(topologies.length);
  for (const topology of topologies) {
    const server = running(ready, `alike/${topology.id}`);
    place.watch(server.spec.port);
    const { pids, managerPids } = server;
    expect(pids, topology.id).toHaveLength(processesIn(topology));
    expect(managerPids, topology.id).toHaveLength(managersIn(topology));
    const said = (await answersOf(server, 40 * pids.length)).map(({ headers }) => {
      return ['x-process', 'x-kept', 'x-monitored'].map((name) => headers.get(name)).join();
    });
    // Only where pm2's monitoring is asked for is it in the processes.
    const isMonitored = topology.id === MONITORED.id;
    expect(new Set(said), topology.id).toEqual(
      new Set(pids.map((pid) => `${pid},true,${isMonitored}`)),
    );
    if (cores === null) continue;
    const allowed = [...pids, ...managerPids].map((pid) => statusOf(pid, 'Cpus_allowed_list'));
    expect(new Set(allowed), topology.id).toEqual(new Set([String(core)]));
  }
});

test('worker threads share a port, and all of them listen before the server is up', async () => {
  const told = `serve(() => (response) => response.end(String(require('node:worker_threads').threadId)))`;
  await using started = await start(serving('threads', told), THREADS_OF_2);
  const server = serverOf(started.one);
  expect(server.pids).toHaveLength(1);
  const answering = (await answersOf(server, 80)).map(({ text }) => text);
  expect(new Set(answering)).toEqual(new Set(['1', '2']));
});

test('a server whose thread ends is gone', async () => {
  const ends = `serve(() => (response) => response.end('', () => process.exit(3)))`;
  await using started = await start(serving('ending', ends), THREADS_OF_2);
  const server = serverOf(started.one);
  await fetch(server.origin).catch(() => null);
  expect(await eventually(() => !server.isAlive(), 5000)).toBe(true);
});

describe("under Node's own cluster module", () => {
  test('a server is up only when its last worker listens', async () => {
    const late = `setTimeout(serve, require('node:cluster').worker.id === 2 ? 1000 : 0)`;
    await using started = await start(serving('late', late), NODE_CLUSTER_OF_2);
    await verify(serverOf(started.one), started.context);
  });

  const failures = [
    ['setInterval(() => {}, 60_000)', '1 of 2 workers listened within 2 s', false, []],
    [
      "console.error('no room for two'), process.exit(3)",
      ...(['a worker ended with code 3 while starting', true, ['no room for two']] as const),
    ],
  ] as const;
  test.each(failures)(
    'a worker that does not listen is a failure: %s: %s',
    async (worker, message, died, logTail) => {
      const script = `require('node:cluster').worker.id === 2 ? (${worker}) : serve()`;
      const target = serving(`failing-${died}`, script);
      const timeoutMs = died ? 10_000 : 2000;
      await using started = await start(target, NODE_CLUSTER_OF_2, timeoutMs);
      expect(failureOf(started.one)).toEqual({ message, died, logTail });
    },
  );

  test('a worker that dies later is not replaced, and the others go on', async () => {
    await using ready = await startFixtures(['ok'], [NODE_CLUSTER_OF_2]);
    const server = running(ready, 'ok/cluster:2');
    const [first = 0, second = 0] = server.pids;
    process.kill(first, 'SIGKILL');
    // Gone altogether: only a primary that has seen it die deals it no connection any more.
    expect(await eventually(() => !existsSync(`/proc/${first}`), 5000)).toBe(true);
    const answers = await answersOf(server, 10);
    const answering = answers.map(({ headers }) => Number(headers.get('x-process')));
    expect(new Set(answering)).toEqual(new Set([second]));
    const own = place.processes().filter(({ directory }) => directory.endsWith('/ok'));
    expect(new Set(own.map(({ pid }) => pid))).toEqual(new Set([...server.managerPids, second]));
  });

  test('no worker outlives the primary, whatever kills that', async () => {
    const signals = ['SIGTERM', 'SIGINT', 'SIGKILL'] as const;
    const topologies = signals.map((id) => ({ ...NODE_CLUSTER_OF_2, id }));
    const names = ['ok', 'ignores-sigterm'];
    await using ready = await startFixtures(names, topologies);
    const servers = [...ready.servers.values()];
    const pids = servers.flatMap((server) => [...server.pids, ...server.managerPids]);
    expect(pids).toHaveLength(6 * 3);
    for (const { spec, managerPids } of servers) {
      const signal = signals.find((id) => id === spec.topology.id);
      for (const pid of managerPids) process.kill(pid, signal);
    }
    expect(await eventually(() => !pids.some(isAlive), 5000)).toBe(true);
  });
});

describe('where no manager keeps the processes', () => {
  test('threads are one process, which is told how many cores there are to use', async () => {
    const threaded = { ...fixture('ok'), scale: { by: 'threads', env: 'MOST_THREADS' } } as const;
    await using started = await start(threaded, CLUSTER_OF_2);
    const { spec, pids, managerPids } = serverOf(started.one);
    expect([pids.length, managerPids.length]).toEqual([1, 0]);
    expect(environmentOf(spec).MOST_THREADS).toBe('2');
    expect(environmentOf(await specOf(threaded, SINGLE)).MOST_THREADS).toBe('1');
  });

  test.runIf(process.platform === 'linux')(
    'so many processes share one port, and each of them answers',
    async () => {
      const topologies = [SINGLE, CLUSTER_OF_2];
      await using ready = await startFixtures(['reuse-port'], topologies);
      const two = running(ready, 'reuse-port/2');
      expect([two.pids.length, two.managerPids.length]).toEqual([2, 0]);
      expect(running(ready, 'reuse-port/single').pids).toHaveLength(1);
    },
  );

  test('a server that does not share its port is a failure with its words', async () => {
    const target = { ...fixture('ok'), scale: { by: 'reuse-port' } } as const;
    await using started = await start(target, CLUSTER_OF_2);
    expect(failureOf(started.one).logTail.join()).toContain('EADDRINUSE');
  });
});
