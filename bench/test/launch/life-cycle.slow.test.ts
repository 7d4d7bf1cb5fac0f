import { existsSync, writeFileSync } from 'node:fs';
import { createServer, get } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { launch } from '../../src/launch/launch.ts';
import { HOST, type ServerSpec } from '../../src/launch/server.ts';
import { verify } from '../../src/launch/verify.ts';
import { isPlain } from '../../src/plan/topology.ts';
import { freePort } from '../../src/system/free-port.ts';
import { isAlive } from '../../src/system/processes.ts';
import {
  fixture,
  running,
  SINGLE,
  startContext,
  startFixtures,
  TOPOLOGIES,
} from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { eventually } from '../support/processes.ts';

const place = ownPlace();

describe.each(TOPOLOGIES)('as $id, kept by $manager,', (topology) => {
  const { id, manager, processes } = topology;
  const managers = isPlain(topology) ? 0 : 1;

  test('servers run, answer from each of their processes, and are gone afterwards', async () => {
    const pids: number[] = [];
    {
      await using guarded = startContext();
      await using ready = await startFixtures(['ok', 'ok-too'], [topology], guarded.context);
      expect(ready.notReady).toEqual([]);
      for (const name of ['ok', 'ok-too']) {
        const server = running(ready, `${name}/${id}`);
        place.watch(server.spec.port);
        expect(server.pids).toHaveLength(processes);
        expect(server.managerPids).toHaveLength(managers);
        expect(await answeringProcesses(server.origin)).toEqual(new Set(server.pids));
        pids.push(...server.pids, ...server.managerPids);
      }
      // A daemon of pm2 is common to both.
      const common = manager === 'node:cluster' ? 2 : managers;
      expect(new Set(pids).size).toBe(2 * processes + common);
      const seen = place.processes().map(({ pid }) => pid);
      expect(seen).toEqual(expect.arrayContaining([...pids, guarded.guardian]));
      expect(place.runFolders()).toHaveLength(1);
    }
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test('a server that answers otherwise than declared fails, the others run', async () => {
    await using guarded = startContext();
    const names = ['ok', 'wrong-body', 'wrong-status'];
    await using ready = await startFixtures(names, [topology], guarded.context);
    expect([...ready.servers.keys()]).toEqual([`ok/${id}`]);
    expect(ready.notReady).toEqual([
      {
        server: `wrong-body/${id}`,
        when: 'verify',
        message: 'it answered with the body "Goodbye World!" instead of "Hello World!"',
        lastWords: [],
        died: false,
      },
      {
        server: `wrong-status/${id}`,
        when: 'verify',
        message: 'it answered with status 503 instead of 200',
        lastWords: [],
        died: false,
      },
    ]);
  });

  test('a server that takes its time to listen is waited for', async () => {
    await using guarded = startContext();
    const startedMs = performance.now();
    await using ready = await startFixtures(['slow-start'], [topology], guarded.context);
    expect(running(ready, `slow-start/${id}`).pids).toHaveLength(processes);
    expect(performance.now() - startedMs).toBeGreaterThan(1500);
  });

  test('a server that never listens fails with the time limit and what it wrote', async () => {
    await using guarded = startContext({ startTimeoutMs: 700 });
    await using ready = await startFixtures(['never-listens'], [topology], guarded.context);
    expect(ready.notReady).toEqual([
      {
        server: `never-listens/${id}`,
        when: 'start',
        message:
          manager === 'node:cluster'
            ? '0 of 2 workers listened within 0.7 s'
            : 'it accepted no connection within 0.7 s',
        lastWords: Array(processes).fill('waiting for a database that is not there'),
        died: false,
      },
    ]);
    expect(ready.servers.size).toBe(0);
  });

  test('a server that crashes at once fails with its last words, the others run', async () => {
    await using guarded = startContext();
    const names = ['ok', 'crash-at-once'];
    await using ready = await startFixtures(names, [topology], guarded.context);
    expect([...ready.servers.keys()]).toEqual([`ok/${id}`]);
    expect(ready.notReady).toHaveLength(1);
    const [failure] = ready.notReady;
    expect(failure).toMatchObject({ server: `crash-at-once/${id}`, when: 'start', died: true });
    expect(failure?.message).toMatch(/^(it|a worker) ended |^[01] of \d workers were online /);
    expect(failure?.lastWords).toContain('no licence file: giving up');
  });

  test('a server that ignores SIGTERM is gone nevertheless', async () => {
    let pids: readonly number[] = [];
    {
      await using guarded = startContext();
      await using ready = await startFixtures(['ignores-sigterm'], [topology], guarded.context);
      pids = running(ready, `ignores-sigterm/${id}`).pids;
      expect(pids.every(isAlive)).toBe(true);
    }
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test('a port that another process listens on is a clear failure', async () => {
    const other = createServer((_request, response) => response.end('Hello World!'));
    await new Promise<void>((resolve) => other.listen(0, HOST, resolve));
    try {
      await using guarded = startContext();
      const address = other.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      await using launched = await launch([spec('ok', port)], guarded.context);
      const [started] = launched.started;
      if (started === undefined) throw new Error('nothing was started');
      const { outcome } = started;
      const problem =
        outcome.state === 'failed'
          ? outcome.failure
          : await verify(outcome.server, guarded.context);
      expect(problem).not.toMatchObject({ state: 'verified' });
      expect(JSON.stringify(problem)).toMatch(
        new RegExp(`another process listens on its port ${port}|EADDRINUSE|ended`),
      );
    } finally {
      other.close();
    }
  });

  test('a server that dies before it was verified fails, and nothing is thrown', async () => {
    await using guarded = startContext();
    const { context } = guarded;
    await using launched = await launch([spec('ok', await freePort(HOST))], context);
    const [started] = launched.started;
    if (started?.outcome.state !== 'running') throw new Error('ok does not run');
    const { server } = started.outcome;
    for (const pid of server.pids) process.kill(pid, 'SIGKILL');
    // Gone altogether: not even a zombie tells anything of it any more.
    const gone = () => !server.pids.some((pid) => existsSync(`/proc/${pid}`));
    expect(await eventually(gone, 5000)).toBe(true);
    expect(await verify(server, context)).toMatchObject({ state: 'failed' });
  });

  // The moments are spread over what a start is made of; none of them may matter.
  test.each([50, 250, 700])('aborting %d ms into a start leaves nothing', async (delayMs) => {
    const reason = new Error('the user has had enough');
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(reason), delayMs);
    try {
      await using guarded = startContext({ signal: abort.signal });
      const start = startFixtures(['slow-start', 'ok'], [topology], guarded.context);
      await expect(start).rejects.toThrow();
      expect(abort.signal.aborted).toBe(true);
    } finally {
      clearTimeout(timer);
    }
    expect(place.processes()).toEqual([]);
  });

  function spec(name: string, port: number): ServerSpec {
    place.watch(port);
    return { key: `${name}/${id}`, target: fixture(name), topology, port, services: [] };
  }
});

test('a command that is not node runs as one plain process', async () => {
  await using guarded = startContext();
  await using ready = await startFixtures(['not-node'], [SINGLE], guarded.context);
  const server = running(ready, 'not-node/single');
  expect(await answeringProcesses(server.origin)).toEqual(new Set(server.pids));
});

test('servers of all kinds run side by side', async () => {
  await using guarded = startContext();
  await using ready = await startFixtures(['ok'], TOPOLOGIES, guarded.context);
  expect([...ready.servers.keys()]).toEqual(TOPOLOGIES.map(({ id }) => `ok/${id}`));
  const ports = [...ready.servers.values()].map(({ spec }) => spec.port);
  expect(new Set(ports).size).toBe(TOPOLOGIES.length);
});

test('where one kind can not be started, what started beside it is stopped', async () => {
  await using guarded = startContext();
  const { context } = guarded;
  const pm2 = TOPOLOGIES.filter(({ manager }) => manager === 'pm2');
  for (const { id } of pm2)
    writeFileSync(join(context.folder, `pm2-${id}`), 'where its home would be');
  const start = startFixtures(['ok'], [SINGLE, ...pm2], context);
  await expect(start).rejects.toThrow('EEXIST');
  const left = place.processes().filter(({ pid }) => pid !== guarded.guardian);
  expect(left).toEqual([]);
});

test('a command that does not exist is a failure with its name', async () => {
  await using guarded = startContext();
  const target = { ...fixture('ok'), start: ['no-such-command-here'] satisfies [string] };
  const port = await freePort(HOST);
  const shared = { topology: SINGLE, port, services: [] };
  const specs: ServerSpec[] = [{ key: 'absent/single', target, ...shared }];
  await using launched = await launch(specs, guarded.context);
  expect(launched.started.map(({ outcome }) => outcome)).toMatchObject([
    {
      state: 'failed',
      failure: {
        message: 'it ended with code 127 while starting',
        lastWords: [expect.stringContaining('no-such-command-here')],
      },
    },
  ]);
});

/** The processes that answer on this origin, over enough connections to meet them all. */
async function answeringProcesses(origin: string): Promise<Set<number>> {
  const pids = new Set<number>();
  for (let attempt = 0; attempt < 30; attempt++) {
    const { process: pid, body } = await ask(origin);
    expect(body).toBe('Hello World!');
    pids.add(pid);
  }
  return pids;
}

function ask(origin: string): Promise<{ process: number; body: string }> {
  return new Promise((resolve, reject) => {
    get(origin, { agent: false }, (response) => {
      const pid = Number(response.headers['x-process']);
      text(response).then((body) => resolve({ process: pid, body }), reject);
    }).once('error', reject);
  });
}
