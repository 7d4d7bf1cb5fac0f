/** Servers with limits, under all managers, in real control groups. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { limited } from '../../src/launch/launch.ts';
import { HOST } from '../../src/launch/server.ts';
import type { Launcher } from '../../src/launch/start.ts';
import { Teardown } from '../../src/launch/teardown.ts';
import { membersIn } from '../../src/system/control-groups.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import { CAN_LIMIT, CAN_LIMIT_MEMORY, groupsOf, limitedGroup } from '../support/control-groups.ts';
import { fixture, odd, running, startOne, startTargets } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { CLUSTER_OF_2, SINGLE, WAYS } from '../support/topologies.ts';

const place = ownPlace();
/** A busy machine may take as long to start or end a process. */
const PATIENT_MS = 10_000;

const ownGroups = () => groupsOf(place.runFolders());

const sorted = (pids: number[]) => pids.toSorted((a, b) => a - b);

const quotaOf = (folder: string) => {
  const files = ['cpu.max', 'cpu.cfs_quota_us'].map((name) => join(folder, name));
  return readFileSync(files.find(existsSync) ?? '', 'utf8');
};

const LIMITED = { ...fixture('ok'), name: 'ok@cpu-0.5', cpuLimit: 0.5 };
const OTHER = { ...fixture('ok'), name: 'ok@cpu-1', cpuLimit: 1 };
const FREE = fixture('ok-too');

describe.skipIf(!CAN_LIMIT)('where control groups may be made', () => {
  test('all of a server, its manager too, is in a group of its own, which goes with it', async () => {
    let folders: string[] = [];
    {
      await using started = await startTargets([LIMITED], WAYS);
      await using other = await startTargets([OTHER, FREE], [CLUSTER_OF_2]);
      const servers = [...started.servers.values(), ...other.servers.values()];
      for (const { spec } of servers) place.watch(spec.port);
      folders = servers.flatMap((server) => server.cpuGroup ?? []);
      expect(new Set(folders).size).toBe(WAYS.length + 1);
      for (const { cpuGroup: group, pids, managerPids, spec } of servers) {
        expect(group === null, spec.key).toBe(spec.target.cpuLimit === null);
        if (group === null) continue;
        expect(quotaOf(group)).toMatch(spec.target.cpuLimit === 1 ? /^100000/ : /^50000/);
        // At its first list, pm2's daemon runs `getconf`, which is in the group too.
        await expect
          .poll(() => sorted(membersIn(group)), { timeout: PATIENT_MS, message: spec.key })
          .toEqual(sorted([...pids, ...managerPids]));
      }
      expect(ownGroups()).toHaveLength(WAYS.length + 1);
    }
    expect(folders.filter(existsSync)).toEqual([]);
  });

  test('a process that is not in its group is a failure', async () => {
    await using elsewhere = limitedGroup(`overhead-test-${process.pid}`, 1);
    const leave = `echo $$ > ${elsewhere.folder}/cgroup.procs && exec "$0" "$@"`;
    const start: LocalTarget['start'] = ['sh', '-c', leave, ...LIMITED.start];
    await using started = await startOne({ ...LIMITED, start }, SINGLE);
    const stray = /^process \d+ is not in its control group .+, so nothing limits it$/;
    expect(started.notReady).toMatchObject([{ message: expect.stringMatching(stray) }]);
  });

  test('no group is left if a server fails to start or a launcher throws', async () => {
    const crashing = { ...fixture('crash-at-once'), cpuLimit: 0.5 };
    {
      await using started = await startOne(crashing, SINGLE);
      const message = 'it ended with code 1 while starting';
      expect(started.notReady).toMatchObject([{ message }]);
      const broken: Launcher = () => Promise.reject(new Error('no'));
      await using teardown = new Teardown();
      const server = { key: 'ok/single', target: LIMITED, topology: SINGLE, services: [] };
      const specs = [{ ...server, address: HOST, port: 0 }];
      await expect(limited(broken)(specs, { ...started.context, teardown })).rejects.toThrow('no');
    }
    expect(ownGroups()).toEqual([]);
  });
});

const KILLED = 'the kernel killed one of its processes, since it reached its memory limit of';

describe.skipIf(!CAN_LIMIT_MEMORY)('where memory may be limited', () => {
  test.each([null, 0.5])('a server at its limit is killed, which is told: %s', async (cpuLimit) => {
    const limits = { cpuLimit, memoryLimit: 150e6 };
    const target: LocalTarget = { ...fixture('ok'), ...limits, start: odd('keeps') };
    {
      await using started = await startOne(target, SINGLE);
      const server = running(started, 'ok/single');
      expect(server.failure('other').message).toBe('other');
      const ask = async () => {
        const answer = await fetch(server.origin).catch(() => null);
        return answer === null ? null : Number(await answer.text());
      };
      expect(await ask()).toBe(1);
      await expect.poll(ask, { interval: 1, timeout: PATIENT_MS }).toBeNull();
      await expect.poll(() => server.isAlive()).toBe(false);
      expect(server.failure('other').message).toBe(`${KILLED} 150 MB`);
    }
    expect(ownGroups()).toEqual([]);
  });

  test('a server that reaches it while starting fails for that reason', async () => {
    const start: LocalTarget['start'] = ['node', '-e', 'Buffer.alloc(200e6, 1)'];
    const target: LocalTarget = { ...fixture('ok'), memoryLimit: 100e6, start };
    await using started = await startOne(target, SINGLE);
    expect(started.notReady).toMatchObject([{ message: `${KILLED} 100 MB` }]);
  });
});
