/** What servers of all kinds of topologies have in common, and what only some have. */
import { chmodSync, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { execa } from 'execa';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  environmentOf,
  HOST,
  keepHeapEnvironment,
  type RunningServer,
} from '../../src/launch/server.ts';
import type { Topology } from '../../src/plan/topology.ts';
import { freePort } from '../../src/system/free-port.ts';
import { describeMachine } from '../../src/system/machine.ts';
import { CAN_PIN } from '../../src/system/pin.ts';
import { isAlive } from '../../src/system/processes.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import { fixture, running, scripted, startOne, startTargets } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { makeTarget } from '../support/make-record.ts';
import { BUN } from '../support/make-runtimes.ts';
import { eventually, statusOf } from '../support/processes.ts';
import {
  CLUSTER_OF_2,
  MONITORED,
  managersIn,
  NODE_CLUSTER_OF_2,
  SINGLE,
  THREADS_OF_2,
  WAYS,
} from '../support/topologies.ts';

const place = ownPlace();

const serving = (name: string, script: string) => scripted(place.write, name, script);

async function start(target: LocalTarget, topology: Topology, startTimeoutMs = 10_000) {
  const fixedPort = await freePort(HOST);
  place.watch(fixedPort);
  return await startOne({ ...target, fixedPort }, topology, { startTimeoutMs });
}

/** The answers over so many new connections. */
function answersOf({ origin }: Pick<RunningServer, 'origin'>, connections: number) {
  const asking = Array.from({ length: connections }, async () => {
    const response = await fetch(origin, { headers: { connection: 'close' } });
    return { text: await response.text(), headers: response.headers };
  });
  return Promise.all(asking);
}

test('servers of all kinds run side by side, started alike', async () => {
  const [core = 0] = (await describeMachine([])).cores.slice(-1);
  const cores = CAN_PIN ? [core] : null;
  const topologies = [...WAYS, MONITORED].map((each) => ({ ...each, cores }));
  const isKept = "Object.keys(require.cache).some((file) => file.endsWith('keep-heap.cjs'))";
  const script = `serve((own) => (response) => own.hello(response.setHeader('x-kept', ${isKept})))`;
  const targets = [serving('alike', script)];
  // None of them uses the first `node` on the PATH.
  const other = place.write('path/node', '#!/bin/sh\necho not this one >&2\nexit 1\n');
  chmodSync(other, 0o755);
  vi.stubEnv('PATH', `${dirname(other)}:${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  await using ready = await startTargets(targets, topologies);
  expect(ready.notReady).toEqual([]);
  const ports = [...ready.servers.values()].map(({ spec }) => spec.port);
  expect(new Set(ports).size).toBe(topologies.length);
  for (const topology of topologies) {
    const server = running(ready, `alike/${topology.id}`);
    place.watch(server.spec.port);
    const { pids, managerPids } = server;
    const processes = topology.manager === 'worker threads' ? 1 : topology.processes;
    expect(pids, topology.id).toHaveLength(processes);
    expect(managerPids, topology.id).toHaveLength(managersIn(topology));
    const said = (await answersOf(server, 20 * pids.length)).map(({ headers }) => {
      return ['x-process', 'x-kept', 'x-monitored'].map((name) => headers.get(name)).join();
    });
    const isMonitored = topology.id === MONITORED.id;
    const all = pids.map((pid) => `${pid},true,${isMonitored}`);
    expect(new Set(said), topology.id).toEqual(new Set(all));
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
  const server = running(started, 'threads/threads:2');
  expect(server.pids).toHaveLength(1);
  const answering = (await answersOf(server, 40)).map(({ text }) => text);
  expect(new Set(answering)).toEqual(new Set(['1', '2']));
  await fetch(`${server.origin}/end`).catch(() => null);
  expect(await eventually(() => !server.isAlive(), 5000)).toBe(true);
});

describe("under Node's own cluster module", () => {
  const ends = "console.error('no room for two'), process.exit(3)";
  test.each([
    ['setInterval(() => {}, 60_000)', '1 of 2 workers listened within 4 s', false, []],
    [ends, 'a worker ended with code 3 while starting', true, ['no room for two']],
  ])('a worker that does not listen is a failure: %s: %s', async (...given) => {
    const [worker, message, died, logTail] = given;
    const script = `require('node:cluster').worker.id === 2 ? (${worker}) : serve()`;
    const target = serving(`failing-${died}`, script);
    await using started = await start(target, NODE_CLUSTER_OF_2, died ? 10_000 : 4000);
    expect(started.notReady).toMatchObject([{ message, died, logTail }]);
  });

  test('a worker that dies later is not replaced, others go on until the primary dies', async () => {
    await using ready = await startTargets([fixture('ok')], [NODE_CLUSTER_OF_2]);
    const server = running(ready, 'ok/cluster:2');
    const [first = 0, second = 0] = server.pids;
    const [primary = 0] = server.managerPids;
    process.kill(first, 'SIGKILL');
    // Not even a zombie: only then does the primary send it no more connections.
    expect(await eventually(() => !existsSync(`/proc/${first}`), 5000)).toBe(true);
    const answers = await answersOf(server, 10);
    const answering = answers.map(({ headers }) => Number(headers.get('x-process')));
    expect(new Set(answering)).toEqual(new Set([second]));
    const own = place.processes().filter(({ directory }) => directory.endsWith('/ok'));
    expect(new Set(own.map(({ pid }) => pid))).toEqual(new Set([primary, second]));
    process.kill(primary, 'SIGKILL');
    expect(await eventually(() => !isAlive(second), 5000)).toBe(true);
  });
});

describe('without a manager', () => {
  test('threads are one process, which gets the number of cores to use', async () => {
    const threaded = { ...fixture('ok'), scale: { by: 'threads', env: 'MOST_THREADS' } } as const;
    await using started = await start(threaded, CLUSTER_OF_2);
    const { spec, pids, managerPids } = running(started, 'ok/2');
    expect([pids.length, managerPids.length]).toEqual([1, 0]);
    expect(environmentOf(spec).MOST_THREADS).toBe('2');
    expect(environmentOf({ ...spec, topology: SINGLE }).MOST_THREADS).toBe('1');
  });

  test('a server that does not share its port fails with what it wrote', async () => {
    const target = { ...fixture('ok'), scale: { by: 'reuse-port' } } as const;
    await using started = await start(target, CLUSTER_OF_2);
    const logTail = [expect.stringContaining('EADDRINUSE')];
    expect(started.notReady).toMatchObject([{ logTail: expect.arrayContaining(logTail) }]);
  });
});

/** Makes garbage for half a second, during which V8's memory reducer would run, and prints its own option. */
const BUSY = `
  const kept = [];
  const end = Date.now() + 500;
  const burn = () => {
    for (let i = 0; i < 2e4; i++) {
      const made = { i, all: [i, i + 1] };
      if (i % 20 === 0) kept.push(made);
    }
    if (kept.length > 3e5) kept.length = 0;
    if (Date.now() < end) setImmediate(burn);
    else setTimeout(() => console.log('OPTION', process.env.OWN), 100);
  };
  burn();
`;

/** The output of a busy program whose memory reducer is traced, and due after 50 ms. */
async function reducing(env: Record<string, string>): Promise<string> {
  const flags = ['--trace-memory-reducer', '--gc-memory-reducer-start-delay-ms=50'];
  const options = { env, extendEnv: false };
  return (await execa(process.execPath, [...flags, '--eval', BUSY], options)).stdout;
}

test('on Node, and there alone, the memory reducer is off, and options of the server are kept', async () => {
  const script = place.write('own.cjs', "process.env.OWN = 'its own';");
  const own = { NODE_OPTIONS: `--require "${script}"` };
  const kept = [{}, { env: own }, { passed: own }].map((parts) => {
    return keepHeapEnvironment({ ...makeTarget('app'), ...parts });
  });
  const [without, ...all] = await Promise.all([{}, ...kept].map(reducing));
  expect(without).toContain('Memory reducer');
  expect(all).toEqual(['OPTION undefined', 'OPTION its own', 'OPTION its own']);
  expect(keepHeapEnvironment({ ...makeTarget('app'), runtime: BUN })).toEqual({});
});
