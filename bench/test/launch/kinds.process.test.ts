/** What the kinds of topologies differ in, and what they must not differ in. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { launch } from '../../src/launch/launch.ts';
import { HOST, type LaunchContext, type RunningServer } from '../../src/launch/server.ts';
import { verify } from '../../src/launch/verify.ts';
import type { Topology } from '../../src/plan/topology.ts';
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
  running,
  startContext,
  startFixtures,
  TOPOLOGIES,
} from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { eventually } from '../support/processes.ts';

const place = ownPlace();
const SERVE = JSON.stringify(join(FIXTURES, 'serve.mjs'));

/** A target that runs this script, CommonJS, in which `serve()` starts serving. */
function serving(name: string, script: string): LocalTarget {
  const directory = join(place.folder, name);
  mkdirSync(directory);
  const serve = `const serve = () => import(${SERVE}).then((own) => own.serve(own.hello));`;
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

async function headersOf({ origin }: RunningServer): Promise<Headers> {
  return (await fetch(origin, { headers: { connection: 'close' } })).headers;
}

describe.each(TOPOLOGIES)('as $id, kept by $manager,', (topology) => {
  test('each process has been told to keep its heap while it rests', async () => {
    await using guarded = startContext();
    const isKept = "Object.keys(require.cache).some((file) => file.endsWith('keep-heap.cjs'))";
    const target = serving(`kept-${topology.id.replace(':', '-')}`, `if (${isKept}) serve();`);
    await using started = await start(target, topology, guarded.context);
    expect(started.outcome.state).toBe('running');
  });

  test('servers run on the Node of the harness, whatever comes first on the PATH', async () => {
    const name = topology.id.replace(':', '-');
    const folder = join(place.folder, `path-${name}`);
    mkdirSync(folder);
    writeFileSync(join(folder, 'node'), '#!/bin/sh\necho not this one >&2\nexit 1\n');
    chmodSync(join(folder, 'node'), 0o755);
    const { PATH } = process.env;
    process.env.PATH = `${folder}:${PATH}`;
    try {
      await using guarded = startContext();
      const target = serving(`node-${name}`, 'serve()');
      await using started = await start(target, topology, guarded.context);
      expect(started.outcome).toMatchObject({ state: 'running' });
    } finally {
      process.env.PATH = PATH;
    }
  });

  test("only where pm2's monitoring is asked for is it in the processes", async () => {
    await using guarded = startContext();
    await using ready = await startFixtures(['ok'], [topology], guarded.context);
    const headers = await headersOf(running(ready, `ok/${topology.id}`));
    expect(headers.get('x-monitored')).toBe(String(topology === MONITORED));
  });

  test.runIf(CAN_PIN)('all processes run on its cores, the manager too', async () => {
    const core = (await describeMachine([])).cores.at(-1) ?? 0;
    const pinned = { ...topology, cores: [core] };
    await using guarded = startContext();
    await using ready = await startFixtures(['ok'], [pinned], guarded.context);
    const { pids, managerPids } = running(ready, `ok/${topology.id}`);
    for (const pid of [...pids, ...managerPids]) {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      expect(/^Cpus_allowed_list:\t(.*)$/m.exec(status)?.[1]).toBe(String(core));
    }
  });
});

describe("under Node's own cluster module", () => {
  test('one worker is a cluster too', async () => {
    await using guarded = startContext();
    await using ready = await startFixtures(['ok'], [NODE_CLUSTER_OF_1], guarded.context);
    const { pids, managerPids } = running(ready, 'ok/cluster:1');
    expect([pids.length, managerPids.length]).toEqual([1, 1]);
  });

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
      failure: { message: '1 of 2 workers listened within 1 s', lastWords: [], died: false },
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
      failure: { message, lastWords: ['no room for two'], died: true },
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
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGKILL'] as const) {
      await using guarded = startContext();
      const names = ['ok', 'ignores-sigterm'];
      await using ready = await startFixtures(names, [NODE_CLUSTER_OF_2], guarded.context);
      const servers = [...ready.servers.values()];
      for (const primary of servers.flatMap(({ managerPids }) => managerPids)) {
        process.kill(primary, signal);
      }
      const pids = servers.flatMap((server) => [...server.pids, ...server.managerPids]);
      expect(pids).toHaveLength(6);
      expect(await eventually(() => !pids.some(isAlive), 5000)).toBe(true);
    }
  });
});
