import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { execa } from 'execa';
import { expect, test, vi } from 'vitest';
import { ARRANGEMENTS } from '../../src/plan/plan.ts';
import { type Arranged, arrange } from '../../src/run/arrange.ts';
import { CAN_PROFILE, FOR_PROFILES } from '../../src/system/inspector.ts';
import { parseCoreList } from '../../src/system/machine.ts';
import { CAN_PIN } from '../../src/system/pin.ts';
import { isAlive } from '../../src/system/processes.ts';
import * as usage from '../../src/system/usage.ts';
import { statusOf } from '../support/process-status.ts';
import { eventually } from '../support/processes.ts';

vi.mock('../../src/system/usage.ts', { spy: true });

const CORES = allowedCores(process.pid);

/** A server of this process, with nobody beside it, on the same cores throughout. */
function about(pid: number, parts: Partial<Arranged> = {}, port: string | number = 1): Arranged {
  return {
    server: { pids: [pid], origin: `http://127.0.0.1:${port}`, isAlive: () => isAlive(pid) },
    others: [],
    cores: { own: CORES, all: CORES },
    isSampledInOthers: false,
    onWatched: () => {},
    ...parts,
  };
}

/** A process that runs until it is disposed of. */
function start(program: string, ...args: string[]) {
  const child = execa(program, args, { reject: false });
  const { pid, stdout } = child;
  if (pid === undefined) throw new Error(`${program} did not start`);
  const end = async () => {
    child.kill('SIGKILL');
    await child;
  };
  return { pid, stdout, end, [Symbol.asyncDispose]: end };
}

const sleeper = () => start('sleep', '600');

function isStopped(pid: number): boolean {
  return statusOf(pid, 'State') === 'T';
}

function allowedCores(pid: number): number[] {
  return parseCoreList(statusOf(pid, 'Cpus_allowed_list'));
}

test('alone, all other servers stand still, and go on afterwards', async () => {
  await using server = sleeper();
  await using one = sleeper();
  await using other = sleeper();
  const others = [one.pid, other.pid];
  {
    await using _ = await arrange('alone', about(server.pid, { others }));
    expect(await eventually(() => others.every(isStopped), 2000)).toBe(true);
    expect(isStopped(server.pid)).toBe(false);
  }
  expect(await eventually(() => !others.some(isStopped), 2000)).toBe(true);
});

test.runIf(CAN_PIN && availableParallelism() > 1)(
  'unpinned, the server may run on all cores, and on its own ones afterwards',
  async () => {
    await using server = sleeper();
    const own = CORES.slice(-1);
    {
      const cores = { own, all: CORES };
      await using _ = await arrange('unpinned', about(server.pid, { cores }));
      expect(allowedCores(server.pid)).toEqual(CORES);
    }
    expect(allowedCores(server.pid)).toEqual(own);
  },
);

test('sampled, CPU and memory of the server are read again and again, until the end', async () => {
  const reads = () => {
    return [usage.readCpu, usage.readMemory].map((read) => vi.mocked(read).mock.calls.length);
  };
  {
    await using _ = await arrange('sampled', about(process.pid));
    expect(await eventually(() => reads().every((count) => count >= 3), 10_000)).toBe(true);
    for (const [read] of vi.mocked(usage.readCpu).mock.calls) expect(read).toEqual([process.pid]);
  }
  const atTheEnd = reads();
  // Ten a second, while it lasted.
  const readsOn = () => reads().some((count, index) => count > (atTheEnd[index] ?? 0));
  expect(await eventually(readsOn, 300)).toBe(false);
});

test('standard, nothing is different', async () => {
  await using server = sleeper();
  await using other = sleeper();
  const parts = { others: [other.pid], cores: { own: CORES.slice(-1), all: CORES } };
  await using _ = await arrange('standard', about(server.pid, parts));
  expect(allowedCores(server.pid)).toEqual(CORES);
  expect(await eventually(() => isStopped(other.pid), 100)).toBe(false);
});

test.each(ARRANGEMENTS)('%s, servers that are gone are left to the measurement', async (kind) => {
  const [server, other] = [sleeper(), sleeper()];
  await Promise.all([server.end(), other.end()]);
  const parts = { others: [other.pid], isSampledInOthers: true };
  await using _ = await arrange(kind, about(server.pid, parts));
});

const SERVER = `const server = require('node:http').createServer().listen(0, '127.0.0.1', () => {
  console.log(server.address().port);
});`;

test.runIf(CAN_PROFILE).each([
  { what: 'lives on', dies: false, tells: 1 },
  { what: 'dies', dies: true, tells: 0 },
])('profiled, of a server that $what meanwhile $tells is told', async ({ dies, tells }) => {
  await using server = start(process.execPath, ...FOR_PROFILES, '-e', SERVER);
  const [port] = await once(server.stdout, 'data');
  const onWatched = vi.fn<Arranged['onWatched']>();
  {
    const parts = { isSampledInOthers: true, onWatched };
    await using _ = await arrange('profiled', about(server.pid, parts, String(port).trim()));
    if (dies) await server.end();
  }
  expect(onWatched).toHaveBeenCalledTimes(tells);
  for (const [{ sampled }] of onWatched.mock.calls) expect(sampled).not.toBeNull();
});
