import { availableParallelism } from 'node:os';
import { execa } from 'execa';
import { expect, test, vi } from 'vitest';
import { ARRANGEMENTS } from '../../src/plan/plan.ts';
import { arrange } from '../../src/run/arrange.ts';
import { parseCoreList } from '../../src/system/machine.ts';
import { CAN_PIN } from '../../src/system/pin.ts';
import { isAlive } from '../../src/system/processes.ts';
import * as usage from '../../src/system/usage.ts';
import { statusOf } from '../support/process-status.ts';
import { eventually } from '../support/processes.ts';

vi.mock('../../src/system/usage.ts', { spy: true });

const CORES = allowedCores(process.pid);
const SAME = { own: CORES, all: CORES };
/** With nobody beside it, on the same cores throughout. */
const ALONE = {
  ...{ others: [], cores: SAME },
  ...{ isSampledInOthers: false, onWatched: () => {} },
};

/** A server of these processes. */
function serverOf(pids: number[]) {
  return { pids, origin: 'http://127.0.0.1:1', isAlive: () => pids.every(isAlive) };
}

/** A process that sleeps until it is disposed of. */
async function sleeper(): Promise<{ pid: number } & AsyncDisposable> {
  const child = execa('sleep', ['600'], { reject: false });
  const { pid } = child;
  if (pid === undefined) throw new Error('sleep did not start');
  return {
    pid,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await child;
    },
  };
}

function isStopped(pid: number): boolean {
  return statusOf(pid, 'State') === 'T';
}

function allowedCores(pid: number): number[] {
  return parseCoreList(statusOf(pid, 'Cpus_allowed_list'));
}

test('alone, all other servers stand still, and go on afterwards', async () => {
  await using server = await sleeper();
  await using one = await sleeper();
  await using other = await sleeper();
  const others = [one.pid, other.pid];
  {
    await using _ = await arrange('alone', { ...ALONE, server: serverOf([server.pid]), others });
    expect(await eventually(() => others.every(isStopped), 2000)).toBe(true);
    expect(isStopped(server.pid)).toBe(false);
  }
  expect(await eventually(() => !others.some(isStopped), 2000)).toBe(true);
});

test.runIf(CAN_PIN && availableParallelism() > 1)(
  'unpinned, the server may run on all cores, and on its own ones afterwards',
  async () => {
    await using server = await sleeper();
    const own = CORES.slice(-1);
    {
      const arranged = { ...ALONE, server: serverOf([server.pid]), cores: { own, all: CORES } };
      await using _ = await arrange('unpinned', arranged);
      expect(allowedCores(server.pid)).toEqual(CORES);
    }
    expect(allowedCores(server.pid)).toEqual(own);
  },
);

test('sampled, CPU and memory of the server are read again and again, until the end', async () => {
  const pids = [process.pid];
  const reads = () => {
    return [usage.readCpu, usage.readMemory].map((read) => vi.mocked(read).mock.calls.length);
  };
  {
    await using _ = await arrange('sampled', { ...ALONE, server: serverOf(pids) });
    expect(await eventually(() => reads().every((count) => count >= 3), 10_000)).toBe(true);
    expect(vi.mocked(usage.readCpu).mock.calls.every(([read]) => read === pids)).toBe(true);
  }
  const atTheEnd = reads();
  // Ten a second, while it lasted.
  const readsOn = () => reads().some((count, index) => count > (atTheEnd[index] ?? 0));
  expect(await eventually(readsOn, 300)).toBe(false);
});

test('standard, nothing is different', async () => {
  await using server = await sleeper();
  await using other = await sleeper();
  const cores = { own: CORES.slice(-1), all: CORES };
  const arranged = { ...ALONE, server: serverOf([server.pid]), others: [other.pid], cores };
  await using _ = await arrange('standard', arranged);
  expect(allowedCores(server.pid)).toEqual(CORES);
  expect(await eventually(() => isStopped(other.pid), 100)).toBe(false);
});

test.each(ARRANGEMENTS)('%s, servers that are gone are left to the measurement', async (kind) => {
  const gone = await Promise.all([sleeper(), sleeper()]);
  for (const each of gone) await each[Symbol.asyncDispose]();
  const [pids, others] = gone.map(({ pid }) => [pid]);
  if (pids === undefined || others === undefined) throw new Error('there are two');
  await using _ = await arrange(kind, {
    ...ALONE,
    server: serverOf(pids),
    others,
    isSampledInOthers: true,
  });
});
