import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { expect, test, vi } from 'vitest';
import { ARRANGEMENTS } from '../../src/plan/plan.ts';
import { type ArrangeOptions, arrange } from '../../src/run/arrange.ts';
import { CAN_PROFILE, FOR_PROFILES } from '../../src/system/inspector.ts';
import { CAN_PIN } from '../../src/system/pin.ts';
import { parseList } from '../../src/system/proc-files.ts';
import { isAlive } from '../../src/system/processes.ts';
import * as usage from '../../src/system/usage.ts';
import { eventually, startProgram, statusOf } from '../support/processes.ts';

vi.mock('../../src/system/usage.ts', { spy: true });

const allowedCores = (pid: number) => parseList(statusOf(pid, 'Cpus_allowed_list'));
const isStopped = (pid: number) => statusOf(pid, 'State') === 'T';
const CORES = allowedCores(process.pid);
const OWN = { own: CORES.slice(-1), all: CORES };

/** A server that is this process, on the same cores throughout, unless the parts say otherwise. */
function about(pid: number, parts: Partial<ArrangeOptions> = {}, port = '1'): ArrangeOptions {
  return {
    server: { pids: [pid], origin: `http://127.0.0.1:${port}`, isAlive: () => isAlive(pid) },
    others: [],
    cores: { own: CORES, all: CORES },
    isSampledInOthers: false,
    onWatched: () => {},
    ...parts,
  };
}

const start = () => startProgram('sleep', '600');

test('alone, all other servers are stopped, and continue afterwards', async () => {
  await using server = start();
  await using one = start();
  await using other = start();
  const others = [one.pid, other.pid];
  {
    await using _ = await arrange('alone', about(server.pid, { others }));
    expect(await eventually(() => others.every(isStopped), 2000)).toBe(true);
    expect(isStopped(server.pid)).toBe(false);
  }
  expect(await eventually(() => !others.some(isStopped), 2000)).toBe(true);
});

test.runIf(CAN_PIN && availableParallelism() > 1)(
  'unpinned, the server may run on all cores, and afterwards on its own',
  async () => {
    await using server = start();
    {
      await using _ = await arrange('unpinned', about(server.pid, { cores: OWN }));
      expect(allowedCores(server.pid)).toEqual(CORES);
    }
    expect(allowedCores(server.pid)).toEqual(OWN.own);
  },
);

test('sampled, CPU and memory of the server are read repeatedly, until the end', async () => {
  const reads = () => {
    return [usage.readCpu, usage.readMemory].map((read) => vi.mocked(read).mock.calls.length);
  };
  {
    await using _ = await arrange('sampled', about(process.pid));
    expect(await eventually(() => reads().every((count) => count >= 3), 10_000)).toBe(true);
    for (const [read] of vi.mocked(usage.readCpu).mock.calls) expect(read).toEqual([process.pid]);
  }
  const atTheEnd = reads();
  // They were ten a second.
  const continues = () => reads().some((count, index) => count > (atTheEnd[index] ?? 0));
  expect(await eventually(continues, 300)).toBe(false);
});

test('standard, nothing is different', async () => {
  await using server = start();
  await using other = start();
  const parts = { others: [other.pid], cores: OWN };
  await using _ = await arrange('standard', about(server.pid, parts));
  expect(allowedCores(server.pid)).toEqual(CORES);
  expect(await eventually(() => isStopped(other.pid), 100)).toBe(false);
});

test.each(ARRANGEMENTS)('%s, servers that are gone are left to the measurement', async (kind) => {
  const [server, other] = [start(), start()];
  await Promise.all([server.end(), other.end()]);
  const parts = { others: [other.pid], isSampledInOthers: true };
  await using _ = await arrange(kind, about(server.pid, parts));
});

const SERVER = `const server = require('node:http').createServer().listen(0, '127.0.0.1', () => {
  console.log(server.address().port);
});`;

test.runIf(CAN_PROFILE).each([
  ['lives on', 1],
  ['dies', 0],
])('profiled, a server that %s meanwhile is reported %d times', async (_, reports) => {
  await using server = startProgram(process.execPath, ...FOR_PROFILES, '-e', SERVER);
  const [port] = await once(server.stdout, 'data');
  const onWatched = vi.fn<ArrangeOptions['onWatched']>();
  {
    const parts = { isSampledInOthers: true, onWatched };
    await using _ = await arrange('profiled', about(server.pid, parts, String(port).trim()));
    if (reports === 0) await server.end();
  }
  expect(onWatched).toHaveBeenCalledTimes(reports);
  for (const [{ sampled }] of onWatched.mock.calls) expect(sampled).not.toBeNull();
});
