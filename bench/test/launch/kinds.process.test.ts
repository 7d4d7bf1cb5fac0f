/** What the kinds of topologies differ in, and what they must not differ in. */
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { startVerified } from '../../src/launch/ready.ts';
import { environmentOf, type LaunchContext, type RunningServer } from '../../src/launch/server.ts';
import { verify } from '../../src/launch/verify.ts';
import type { Topology } from '../../src/plan/topology.ts';
import { describeMachine } from '../../src/system/machine.ts';
import { CAN_PIN } from '../../src/system/pin.ts';
import { isAlive } from '../../src/system/processes.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import {
  CLUSTER_OF_2,
  FIXTURES,
  fixture,
  launched,
  MONITORED,
  managersIn,
  NODE_CLUSTER_OF_1,
  NODE_CLUSTER_OF_2,
  processesIn,
  refsOf,
  running,
  SINGLE,
  specOf,
  startContext,
  startFixtures,
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

const SERVE = JSON.stringify(join(FIXTURES, 'serve.mjs'));

/** A target that runs this script, CommonJS, in which `serve()` starts serving, by a handler of its own or `hello`. */
function serving(name: string, script: string): LocalTarget {
  const directory = join(place.folder, name);
  mkdirSync(directory, { recursive: true });
  const serve = `const serve = (handlerOf = ({ hello }) => hello) => {
    import(${SERVE}).then((own) => own.serve(handlerOf(own)));
  };\n`;
  writeFileSync(join(directory, 'main.js'), serve + script);
  return { ...fixture('ok'), name, directory, start: ['node', 'main.js'] };
}

async function start(target: LocalTarget, topology: Topology, context: LaunchContext) {
  const spec = await specOf(target, topology);
  place.watch(spec.port);
  const { started, ...rest } = await launched([spec], context);
  const outcome = started[0]?.outcome;
  if (outcome === undefined) throw new Error('nothing was started');
  return { outcome, ...rest };
}

/** What each process of a server says of itself, asked until each has answered. */
async function saidByEach(server: RunningServer) {
  const said = new Map<number, { kept: boolean; monitored: boolean }>();
  for (let asked = 0; asked < 40 * server.pids.length && said.size < server.pids.length; asked++) {
    const headers = await headersOf(server);
    said.set(Number(headers.get('x-process')), {
      kept: headers.get('x-kept') === 'true',
      monitored: headers.get('x-monitored') === 'true',
    });
  }
  return said;
}

async function headersOf({ origin }: RunningServer): Promise<Headers> {
  return (await fetch(origin, { headers: { connection: 'close' } })).headers;
}

test('servers of all kinds run side by side, started alike', async () => {
  const [core = 0] = (await describeMachine([])).cores.slice(-1);
  const cores = CAN_PIN ? [core] : null;
  const topologies = [...TOPOLOGIES, NODE_CLUSTER_OF_1].map((each) => ({ ...each, cores }));
  const isKept = "Object.keys(require.cache).some((file) => file.endsWith('keep-heap.cjs'))";
  const target = serving(
    'alike',
    `serve((own) => (response) => own.hello(response.setHeader('x-kept', ${isKept})))`,
  );
  // The first `node` on the PATH is none of theirs.
  const folder = join(place.folder, 'path');
  mkdirSync(folder);
  writeFileSync(join(folder, 'node'), '#!/bin/sh\necho not this one >&2\nexit 1\n');
  chmodSync(join(folder, 'node'), 0o755);
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
  await using guarded = startContext();
  await using ready = await startVerified(
    { refs: refsOf(['alike'], topologies), topologies, targets: [target], services: [] },
    guarded.context,
  );
  expect(ready.notReady).toEqual([]);
  const ports = [...ready.servers.values()].map(({ spec }) => spec.port);
  expect(new Set(ports).size).toBe(topologies.length);
  for (const topology of topologies) {
    const server = running(ready, `alike/${topology.id}`);
    place.watch(server.spec.port);
    const { pids, managerPids } = server;
    expect(pids, topology.id).toHaveLength(processesIn(topology));
    expect(managerPids, topology.id).toHaveLength(managersIn(topology));
    const said = await saidByEach(server);
    const allowed = [...pids, ...managerPids].map((pid) => statusOf(pid, 'Cpus_allowed_list'));
    expect({ id: topology.id, said, allowed }).toEqual({
      id: topology.id,
      // Only where pm2's monitoring is asked for is it in the processes.
      said: new Map(
        pids.map((pid) => [pid, { kept: true, monitored: topology.id === MONITORED.id }]),
      ),
      allowed: allowed.map((list) => (cores === null ? list : String(core))),
    });
  }
});

test('worker threads share a port, and all of them listen before the server is up', async () => {
  const told = `serve(() => (response) => response.end(String(require('node:worker_threads').threadId)))`;
  await using guarded = startContext();
  await using started = await start(serving('threads', told), THREADS_OF_2, guarded.context);
  if (started.outcome.state === 'failed') throw new Error(started.outcome.failure.message);
  const { origin, pids } = started.outcome.server;
  expect(pids).toHaveLength(1);
  const answering = new Set<string>();
  for (let asked = 0; asked < 80 && answering.size < 2; asked++) {
    answering.add(await (await fetch(origin, { headers: { connection: 'close' } })).text());
  }
  expect(answering).toEqual(new Set(['1', '2']));
});

test('a server whose thread ends is gone', async () => {
  const ends = `serve(() => (response) => response.end('', () => process.exit(3)))`;
  await using guarded = startContext();
  await using started = await start(serving('ending', ends), THREADS_OF_2, guarded.context);
  if (started.outcome.state === 'failed') throw new Error(started.outcome.failure.message);
  const { origin, isAlive: isUp } = started.outcome.server;
  await fetch(origin).catch(() => null);
  expect(await eventually(() => !isUp(), 5000)).toBe(true);
});

describe("under Node's own cluster module", () => {
  test('a server is up only when its last worker listens', async () => {
    const late = `setTimeout(serve, require('node:cluster').worker.id === 2 ? 1000 : 0)`;
    await using guarded = startContext();
    await using started = await start(serving('late', late), NODE_CLUSTER_OF_2, guarded.context);
    if (started.outcome.state === 'failed') throw new Error(started.outcome.failure.message);
    const verdict = await verify(started.outcome.server, guarded.context);
    expect(verdict).toMatchObject({ state: 'verified' });
  });

  test.each([
    {
      name: 'half',
      worker: 'setInterval(() => {}, 60_000)',
      startTimeoutMs: 2000,
      ...{ message: '1 of 2 workers listened within 2 s', died: false, logTail: [] },
    },
    {
      name: 'crash',
      startTimeoutMs: 10_000,
      worker: "console.error('no room for two'), process.exit(3)",
      ...{ message: 'a worker ended with code 3 while starting', died: true },
      logTail: ['no room for two'],
    },
  ])(
    'a worker that does not listen is a failure: $message',
    async ({ name, worker, startTimeoutMs, ...failure }) => {
      const script = `require('node:cluster').worker.id === 2 ? (${worker}) : serve()`;
      await using guarded = startContext({ startTimeoutMs });
      await using started = await start(serving(name, script), NODE_CLUSTER_OF_2, guarded.context);
      expect(started.outcome).toEqual({ state: 'failed', failure });
    },
  );

  test('a worker that dies later is not replaced, and the others go on', async () => {
    await using guarded = startContext();
    await using ready = await startFixtures(['ok'], [NODE_CLUSTER_OF_2], guarded.context);
    const server = running(ready, 'ok/cluster:2');
    const [first = 0, second = 0] = server.pids;
    process.kill(first, 'SIGKILL');
    // Gone altogether: only a primary that has seen it die deals it no connection any more.
    expect(await eventually(() => !existsSync(`/proc/${first}`), 5000)).toBe(true);
    for (let attempt = 0; attempt < 10; attempt++) {
      expect(Number((await headersOf(server)).get('x-process'))).toBe(second);
    }
    const own = place.processes().filter(({ directory }) => directory.endsWith('/ok'));
    expect(new Set(own.map(({ pid }) => pid))).toEqual(new Set([...server.managerPids, second]));
  });

  test('no worker outlives the primary, whatever kills that', async () => {
    await using guarded = startContext();
    const names = ['ok', 'ignores-sigterm'];
    const signals = ['SIGTERM', 'SIGINT', 'SIGKILL'] as const;
    const topologies = signals.map((id) => ({ ...NODE_CLUSTER_OF_2, id }));
    await using ready = await startFixtures(names, topologies, guarded.context);
    const servers = [...ready.servers.values()];
    for (const signal of signals) {
      const own = servers.filter(({ spec }) => spec.topology.id === signal);
      for (const pid of own.flatMap(({ managerPids }) => managerPids)) process.kill(pid, signal);
    }
    const pids = servers.flatMap((server) => [...server.pids, ...server.managerPids]);
    expect(pids).toHaveLength(6 * 3);
    expect(await eventually(() => !pids.some(isAlive), 5000)).toBe(true);
  });
});

describe('where no manager keeps the processes', () => {
  const THREADED = { ...fixture('ok'), scale: { by: 'threads', env: 'MOST_THREADS' } } as const;

  test('threads are one process, which is told how many cores there are to use', async () => {
    await using guarded = startContext();
    const { started, ...rest } = await launched(
      [await specOf(THREADED, CLUSTER_OF_2)],
      guarded.context,
    );
    await using _all = rest;
    const [{ spec, outcome } = {}] = started;
    expect(outcome).toMatchObject({ server: { pids: [expect.any(Number)], managerPids: [] } });
    expect(spec && environmentOf(spec).MOST_THREADS).toBe('2');
    expect(environmentOf(await specOf(THREADED, SINGLE)).MOST_THREADS).toBe('1');
  });

  test.runIf(process.platform === 'linux')(
    'so many processes share one port, and each of them answers',
    async () => {
      await using guarded = startContext();
      const topologies = [SINGLE, CLUSTER_OF_2];
      await using ready = await startFixtures(['reuse-port'], topologies, guarded.context);
      const two = running(ready, 'reuse-port/2');
      expect([two.pids.length, two.managerPids.length]).toEqual([2, 0]);
      expect(running(ready, 'reuse-port/single').pids).toHaveLength(1);
    },
  );

  test('a server that does not share its port is a failure with its words', async () => {
    await using guarded = startContext();
    const target = { ...fixture('ok'), scale: { by: 'reuse-port' } } as const;
    await using started = await start(target, CLUSTER_OF_2, guarded.context);
    if (started.outcome.state === 'running') throw new Error('it runs');
    expect(started.outcome.failure.logTail.join()).toContain('EADDRINUSE');
  });
});
