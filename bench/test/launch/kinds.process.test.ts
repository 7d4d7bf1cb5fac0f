/** What the kinds of topologies differ in, and what they must not differ in. */
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { launch } from '../../src/launch/launch.ts';
import { startVerified } from '../../src/launch/ready.ts';
import { HOST, type LaunchContext, type RunningServer } from '../../src/launch/server.ts';
import { verify } from '../../src/launch/verify.ts';
import { isPlain, type Topology } from '../../src/plan/topology.ts';
import { freePort } from '../../src/system/free-port.ts';
import { describeMachine } from '../../src/system/machine.ts';
import { CAN_PIN } from '../../src/system/pin.ts';
import { isAlive } from '../../src/system/processes.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import {
  FIXTURES,
  fixture,
  MONITORED,
  NODE_CLUSTER_OF_1,
  NODE_CLUSTER_OF_2,
  refsOf,
  running,
  startContext,
  startFixtures,
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
  mkdirSync(directory);
  const serve = `const serve = (handlerOf = ({ hello }) => hello) => {
    import(${SERVE}).then((own) => own.serve(handlerOf(own)));
  };\n`;
  writeFileSync(join(directory, 'main.js'), serve + script);
  return { ...fixture('ok'), name, directory, start: ['node', 'main.js'] };
}

async function start(target: LocalTarget, topology: Topology, context: LaunchContext) {
  const port = await freePort(HOST);
  place.watch(port);
  const key = `${target.name}/${topology.id}`;
  const launched = await launch([{ key, target, topology, port, services: [] }], context);
  const outcome = launched.started[0]?.outcome;
  if (outcome === undefined) throw new Error('nothing was started');
  return { outcome, [Symbol.asyncDispose]: () => launched[Symbol.asyncDispose]() };
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
    expect(pids, topology.id).toHaveLength(topology.processes);
    expect(managerPids, topology.id).toHaveLength(isPlain(topology) ? 0 : 1);
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

describe("under Node's own cluster module", () => {
  test('a server is up only when its last worker listens', async () => {
    const late = `setTimeout(serve, require('node:cluster').worker.id === 2 ? 1000 : 0)`;
    await using guarded = startContext();
    await using started = await start(serving('late', late), NODE_CLUSTER_OF_2, guarded.context);
    if (started.outcome.state === 'failed') throw new Error(started.outcome.failure.message);
    const verdict = await verify(started.outcome.server, guarded.context);
    expect(verdict).toMatchObject({ state: 'verified', processesSeen: 2 });
  });

  test('a worker that never listens is a failure that counts those that do', async () => {
    const never = `require('node:cluster').worker.id === 2 ? setInterval(() => {}, 60_000) : serve()`;
    await using guarded = startContext({ startTimeoutMs: 1000 });
    await using started = await start(serving('half', never), NODE_CLUSTER_OF_2, guarded.context);
    expect(started.outcome).toEqual({
      state: 'failed',
      failure: { message: '1 of 2 workers listened within 1 s', logTail: [], died: false },
    });
  });

  test('a worker that crashes at once is a failure, though the others would go on', async () => {
    const crash = `if (require('node:cluster').worker.id === 2) {
      console.error('no room for two');
      process.exit(3);
    }
    serve();`;
    await using guarded = startContext();
    await using started = await start(serving('crash', crash), NODE_CLUSTER_OF_2, guarded.context);
    const message = 'a worker ended with code 3 while starting';
    expect(started.outcome).toEqual({
      state: 'failed',
      failure: { message, logTail: ['no room for two'], died: true },
    });
  });

  test('a worker that dies later is not replaced, and the others go on', async () => {
    await using guarded = startContext();
    await using ready = await startFixtures(['ok'], [NODE_CLUSTER_OF_2], guarded.context);
    const server = running(ready, 'ok/cluster:2');
    const [first = 0, second = 0] = server.pids;
    process.kill(first, 'SIGKILL');
    // Gone altogether: only a primary that has seen it die deals it no connection any more.
    expect(await eventually(() => !existsSync(`/proc/${first}`), 5000)).toBe(true);
    const own = () => place.processes().filter(({ directory }) => directory.endsWith('/ok'));
    for (let attempt = 0; attempt < 10; attempt++) {
      expect(Number((await headersOf(server)).get('x-process'))).toBe(second);
    }
    expect(
      own()
        .map(({ pid }) => pid)
        .sort(),
    ).toEqual([...server.managerPids, second].sort());
  });

  test('no worker outlives the primary, whatever kills that', async () => {
    await using guarded = startContext();
    const targets = [fixture('ok'), fixture('ignores-sigterm')];
    const signals = ['SIGTERM', 'SIGINT', 'SIGKILL'] as const;
    const topologies = signals.map((id) => ({ ...NODE_CLUSTER_OF_2, id }));
    const names = targets.map(({ name }) => name);
    await using ready = await startVerified(
      { refs: refsOf(names, topologies), topologies, targets, services: [] },
      guarded.context,
    );
    expect(ready.servers.size).toBe(6);
    const servers = [...ready.servers.values()];
    for (const signal of signals) {
      const own = servers.filter(({ spec }) => spec.topology.id === signal);
      for (const [primary = 0] of own.map(({ managerPids }) => managerPids)) {
        process.kill(primary, signal);
      }
    }
    const pids = servers.flatMap((server) => [...server.pids, ...server.managerPids]);
    expect(pids).toHaveLength(6 * 3);
    expect(await eventually(() => !pids.some(isAlive), 5000)).toBe(true);
  });
});
