/** What servers of all kinds of topologies have in common, and what only some have. */
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

/** The answers over so many new connections. */
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
  // None of them uses the first `node` on the PATH.
  const folder = join(place.folder, 'path');
  mkdirSync(folder, { recursive: true });
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
    const isMonitored = topology.id === MONITORED.id;
    expect(new Set(said), topology.id).toEqual(
      new Set(pids.map((pid) => `${pid},true,${isMonitored}`)),
    );
    if (cores === null) continue;
    const allowed = [...pids, ...managerPids].map((pid) => statusOf(pid, 'Cpus_allowed_list'));
    expect(new Set(allowed), topology.id).toEqual(new Set([String(core)]));
  }
});

test('worker threads share a port, all listen before the server is up, and it dies with one', async () => {
  const script = `serve(() => (response) => {
    const end = response.req.url === '/end' ? () => process.exit(3) : undefined;
    response.end(String(require('node:worker_threads').threadId), end);
  })`;
  await using started = await start(serving('threads', script), THREADS_OF_2);
  const server = serverOf(started.one);
  expect(server.pids).toHaveLength(1);
  const answering = (await answersOf(server, 80)).map(({ text }) => text);
  expect(new Set(answering)).toEqual(new Set(['1', '2']));
  await fetch(`${server.origin}/end`).catch(() => null);
  expect(await eventually(() => !server.isAlive(), 5000)).toBe(true);
});

describe("under Node's own cluster module", () => {
  test('a server is up when its last worker listens', async () => {
    const late = `setTimeout(serve, require('node:cluster').worker.id === 2 ? 1000 : 0)`;
    await using started = await start(serving('late', late), NODE_CLUSTER_OF_2);
    await verify(serverOf(started.one), started.context);
  });

  const ends = "console.error('no room for two'), process.exit(3)";
  test.each([
    ['setInterval(() => {}, 60_000)', '1 of 2 workers listened within 2 s', false, []],
    [ends, 'a worker ended with code 3 while starting', true, ['no room for two']],
  ])(
    'a worker that does not listen is a failure: %s: %s',
    async (worker, message, died, logTail) => {
      const script = `require('node:cluster').worker.id === 2 ? (${worker}) : serve()`;
      const target = serving(`failing-${died}`, script);
      await using started = await start(target, NODE_CLUSTER_OF_2, died ? 10_000 : 2000);
      expect(failureOf(started.one)).toEqual({ message, died, logTail });
    },
  );

  test('a worker that dies later is not replaced, and the others go on', async () => {
    await using ready = await startFixtures(['ok'], [NODE_CLUSTER_OF_2]);
    const server = running(ready, 'ok/cluster:2');
    const [first = 0, second = 0] = server.pids;
    process.kill(first, 'SIGKILL');
    // Not even a zombie: only then does the primary send it no more connections.
    expect(await eventually(() => !existsSync(`/proc/${first}`), 5000)).toBe(true);
    const answers = await answersOf(server, 10);
    const answering = answers.map(({ headers }) => Number(headers.get('x-process')));
    expect(new Set(answering)).toEqual(new Set([second]));
    const own = place.processes().filter(({ directory }) => directory.endsWith('/ok'));
    expect(new Set(own.map(({ pid }) => pid))).toEqual(new Set([...server.managerPids, second]));
  });

  test('no worker outlives the primary, whatever kills that', async () => {
    const signals = ['SIGTERM', 'SIGINT', 'SIGKILL'];
    const topologies = signals.map((id) => ({ ...NODE_CLUSTER_OF_2, id }));
    await using ready = await startFixtures(['ok', 'ignores-sigterm'], topologies);
    const servers = [...ready.servers.values()];
    const pids = servers.flatMap((server) => [...server.pids, ...server.managerPids]);
    expect(pids).toHaveLength(6 * 3);
    for (const { spec, managerPids } of servers) {
      for (const pid of managerPids) process.kill(pid, spec.topology.id);
    }
    expect(await eventually(() => !pids.some(isAlive), 5000)).toBe(true);
  });
});

describe('without a manager', () => {
  test('threads are one process, which gets the number of cores to use', async () => {
    const threaded = { ...fixture('ok'), scale: { by: 'threads', env: 'MOST_THREADS' } } as const;
    await using started = await start(threaded, CLUSTER_OF_2);
    const { spec, pids, managerPids } = serverOf(started.one);
    expect([pids.length, managerPids.length]).toEqual([1, 0]);
    expect(environmentOf(spec).MOST_THREADS).toBe('2');
    expect(environmentOf(await specOf(threaded, SINGLE)).MOST_THREADS).toBe('1');
  });

  test.runIf(process.platform === 'linux')('several processes share one port', async () => {
    await using ready = await startFixtures(['reuse-port'], [SINGLE, CLUSTER_OF_2]);
    const two = running(ready, 'reuse-port/2');
    expect([two.pids.length, two.managerPids.length]).toEqual([2, 0]);
    expect(running(ready, 'reuse-port/single').pids).toHaveLength(1);
  });

  test('a server that does not share its port fails with what it wrote', async () => {
    const target = { ...fixture('ok'), scale: { by: 'reuse-port' } } as const;
    await using started = await start(target, CLUSTER_OF_2);
    expect(failureOf(started.one).logTail.join()).toContain('EADDRINUSE');
  });
});
