import { once } from 'node:events';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import type { RunningServer } from '../../src/launch/server.ts';
import { measureIdle } from '../../src/run/idle.ts';
import type { RunningService } from '../../src/services/running.ts';
import { SINGLE } from '../support/fixtures.ts';
import { makeTarget } from '../support/make-record.ts';

const NEVER = new AbortController().signal;
const SECOND_NS = 1e9;

/** A process that says that it is there, and then does this. */
async function start(act: string) {
  const script = `
    const burn = (ms) => {
      const end = performance.now() + ms;
      while (performance.now() < end);
    };
    console.log('here');
    setTimeout(() => { ${act} });
    setInterval(() => {}, 60_000);`;
  const child = execa(process.execPath, ['-e', script], { reject: false });
  const { pid } = child;
  if (pid === undefined) throw new Error('node did not start');
  await once(child.stdout, 'data');
  const end = async () => {
    child.kill('SIGKILL');
    await child;
  };
  return { pids: [pid], end, [Symbol.asyncDispose]: end };
}

function server(key: string, pids: number[]): RunningServer {
  return {
    spec: { key, target: makeTarget(key), topology: SINGLE, port: 4000, services: [] },
    origin: 'http://127.0.0.1:4000',
    ...{ agreed: [], judged: [], pids, managerPids: [], group: null },
    isAlive: () => true,
    logTail: () => [],
  };
}

function service(name: RunningService['name'], pids: number[]): RunningService {
  return {
    ...{ name, version: '1.2', pids, environment: {} },
    isAlive: () => true,
    logTail: () => [],
  };
}

/** Of a core, on a machine that may be busy with other things. */
function expectShare(nsPerS: number | undefined, { from, to }: { from: number; to: number }): void {
  expect(nsPerS).toBeGreaterThanOrEqual(from * SECOND_NS);
  expect(nsPerS).toBeLessThan(to * SECOND_NS);
}

test('what each of them uses in a second is told, by its name and launch', async () => {
  await using quiet = await start('');
  // A tenth of a core.
  await using busy = await start('setInterval(() => burn(10), 100)');
  const servers = [server('quiet/single', quiet.pids), server('busy/single', busy.pids)];
  const services = [service('redis', busy.pids)];
  const uses = await measureIdle({ servers, services }, 3, NEVER);
  expect(uses).toMatchObject({
    servers: [
      { server: 'quiet/single', launch: 3 },
      { server: 'busy/single', launch: 3 },
    ],
    services: [{ name: 'redis', version: '1.2', launch: 3 }],
  });
  const [first, second] = uses.servers;
  expectShare(first?.nsPerS, { from: 0, to: 0.01 });
  expectShare(second?.nsPerS, { from: 0.02, to: 0.3 });
  expectShare(uses.services[0]?.idleNsPerS, { from: 0.02, to: 0.3 });
});

test('a server that still has work left is waited for', async () => {
  // Of a second and a half: all of the first second, and half of the next one.
  await using working = await start('burn(1500)');
  await using quiet = await start('');
  const servers = [server('working/single', working.pids), server('quiet/single', quiet.pids)];
  const began = performance.now();
  const { servers: uses } = await measureIdle({ servers, services: [] }, 0, NEVER);
  for (const { nsPerS } of uses) expectShare(nsPerS, { from: 0, to: 0.01 });
  expect(performance.now() - began).toBeGreaterThan(2900);
});

test('nobody waits for servers that have nothing left to do', async () => {
  await using quiet = await start('');
  const began = performance.now();
  await measureIdle({ servers: [server('quiet/single', quiet.pids)], services: [] }, 0, NEVER);
  expect(performance.now() - began).toBeLessThan(1900);
});

test('one that dies meanwhile tells nothing, nor does one without processes, and the others do', async () => {
  await using dying = await start('setTimeout(() => process.exit(), 300)');
  await using quiet = await start('');
  const servers = [
    server('dying/single', dying.pids),
    server('elsewhere/single', []),
    server('quiet/single', quiet.pids),
  ];
  const services = [service('redis', dying.pids), service('mariadb', [])];
  const uses = await measureIdle({ servers, services }, 0, NEVER);
  expect(uses.servers.map((each) => each.server)).toEqual(['quiet/single']);
  expect(uses.services).toEqual([]);
});

test('where nobody has a process there is nothing to wait for', async () => {
  const began = performance.now();
  const nobody = { servers: [server('elsewhere/single', [])], services: [] };
  expect(await measureIdle(nobody, 0, NEVER)).toEqual({ servers: [], services: [] });
  expect(performance.now() - began).toBeLessThan(900);
});

test('it ends at once where the run is to end', async () => {
  await using quiet = await start('');
  const over = new AbortController();
  const measuring = measureIdle(
    { servers: [server('quiet/single', quiet.pids)], services: [] },
    0,
    over.signal,
  );
  over.abort(new Error('enough'));
  await expect(measuring).rejects.toThrow();
});
