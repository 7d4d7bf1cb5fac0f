/** Servers with a limit, however their processes are started, in real control groups. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Endings } from '../../src/launch/endings.ts';
import { limited } from '../../src/launch/limited.ts';
import type { LaunchContext } from '../../src/launch/server.ts';
import { launchSingle } from '../../src/launch/single.ts';
import type { Launcher } from '../../src/launch/start.ts';
import type { Topology } from '../../src/plan/topology.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import { CAN_LIMIT, CAN_LIMIT_MEMORY, groupsOf } from '../support/control-groups.ts';
import {
  CLUSTER_OF_2,
  fixture,
  launched,
  SINGLE,
  specOf,
  startContext,
  WAYS,
} from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { CLEARED_MS } from './holding.ts';

const place = ownPlace();

async function start(targets: LocalTarget[], topologies: Topology[], context: LaunchContext) {
  const specs = await Promise.all(
    topologies.flatMap((topology) => targets.map((target) => specOf(target, topology))),
  );
  for (const { port } of specs) place.watch(port);
  const { started, ...rest } = await launched(specs, context);
  const servers = started.map(({ outcome }) => {
    if (outcome.state === 'failed') throw new Error(outcome.failure.message);
    return outcome.server;
  });
  return { servers, ...rest };
}

/** The groups of the runs of this file. */
const ownGroups = () => groupsOf(place.runFolders());

const membersOf = (folder: string) => {
  const lines = readFileSync(join(folder, 'cgroup.procs'), 'utf8').trim().split('\n');
  return lines.map(Number).sort((a, b) => a - b);
};

const quotaOf = (folder: string) => {
  const files = ['cpu.max', 'cpu.cfs_quota_us'].map((name) => join(folder, name));
  return readFileSync(files.find(existsSync) ?? '', 'utf8');
};

const LIMITED = { ...fixture('ok'), name: 'ok@cpu-0.5', cpuLimit: 0.5 };
const OTHER = { ...fixture('ok'), name: 'ok@cpu-1', cpuLimit: 1 };
const FREE = fixture('ok-too');

describe.skipIf(!CAN_LIMIT)('where control groups may be made', () => {
  test('all of a server, its manager too, is in a group of its own, which goes with it', async () => {
    await using guarded = startContext();
    let folders: string[] = [];
    {
      await using started = await start([LIMITED], WAYS, guarded.context);
      await using other = await start([OTHER, FREE], [CLUSTER_OF_2], guarded.context);
      const servers = [...started.servers, ...other.servers];
      folders = servers.flatMap(({ group }) => group?.folder ?? []);
      expect(new Set(folders).size).toBe(WAYS.length + 1);
      for (const { group, pids, managerPids, spec } of servers) {
        expect(group === null, spec.key).toBe(spec.target.cpuLimit === null);
        if (group === null) continue;
        const all = [...pids, ...managerPids].sort((a, b) => a - b);
        expect(quotaOf(group.folder)).toMatch(spec.target.cpuLimit === 1 ? /^100000/ : /^50000/);
        // When it is first asked for a list, pm2's daemon asks `getconf` something, which is in the group too.
        await expect
          .poll(() => membersOf(group.folder), { timeout: CLEARED_MS, message: spec.key })
          .toEqual(all);
      }
      expect(ownGroups()).toHaveLength(WAYS.length + 1);
    }
    expect(folders.filter(existsSync)).toEqual([]);
  });

  test.each([{ by: 'threads', env: 'MOST_THREADS' } as const, { by: 'reuse-port' } as const])(
    'a server that scales by $by has one group for all of it',
    async (scale) => {
      const base = scale.by === 'reuse-port' ? fixture('reuse-port') : fixture('ok');
      const target = { ...base, scale, cpuLimit: 0.5 };
      await using guarded = startContext();
      await using started = await start([target], [CLUSTER_OF_2], guarded.context);
      const [server] = started.servers;
      expect(membersOf(server?.group?.folder ?? '')).toEqual(
        [...(server?.pids ?? [])].sort((a, b) => a - b),
      );
      expect(server?.pids).toHaveLength(scale.by === 'reuse-port' ? 2 : 1);
    },
  );

  test('a process that is not in its group is a failure', async () => {
    const elsewhere: Launcher = (specs, context, endings) => {
      return launchSingle(specs, { ...context, groups: [] }, endings);
    };
    await using guarded = startContext();
    await using endings = new Endings();
    const specs = [await specOf(LIMITED, SINGLE)];
    const started = await limited(elsewhere)(specs, guarded.context, endings);
    expect(started[0]?.outcome).toMatchObject({
      state: 'failed',
      failure: { message: expect.stringMatching(/^process \d+ is not in its control group /) },
    });
  });

  test('no group is left of a server that fails to start, nor where a launcher throws', async () => {
    await using guarded = startContext();
    const { context } = guarded;
    const crashing = { ...fixture('crash-at-once'), cpuLimit: 0.5 };
    const { started, ...rest } = await launched([await specOf(crashing, SINGLE)], context);
    const message = 'it ended with code 1 while starting';
    expect(started[0]?.outcome).toMatchObject({ state: 'failed', failure: { message } });
    const broken: Launcher = () => Promise.reject(new Error('no'));
    await using endings = new Endings();
    const specs = [await specOf(LIMITED, SINGLE)];
    await expect(limited(broken)(specs, context, endings)).rejects.toThrow('no');
    for (const own of [rest, endings]) await own[Symbol.asyncDispose]();
    expect(ownGroups()).toEqual([]);
  });
});

/** Keeps 20 MB of each request. */
const KEEPING = `
const kept = [];
require('node:http')
  .createServer((_, response) => response.end(String(kept.push(Buffer.alloc(20e6, 1)))))
  .listen(process.env.PORT, process.env.HOST);
`;

describe.skipIf(!CAN_LIMIT_MEMORY)('where memory may be limited', () => {
  test.each([
    { cpuLimit: null, memoryLimit: 150e6 },
    { cpuLimit: 0.5, memoryLimit: 150e6 },
  ])('what reaches its limit is killed, and is said to be: $cpuLimit cores', async (limits) => {
    const target: LocalTarget = { ...fixture('ok'), ...limits, start: ['node', '-e', KEEPING] };
    await using guarded = startContext();
    {
      await using started = await start([target], [SINGLE], guarded.context);
      const [server] = started.servers;
      expect(server?.killedBy()).toBeNull();
      const ask = async () => {
        const answer = await fetch(server?.origin ?? '').catch(() => null);
        return answer === null ? null : Number(await answer.text());
      };
      expect(await ask()).toBe(1);
      await expect.poll(ask, { interval: 1, timeout: CLEARED_MS }).toBeNull();
      await expect.poll(() => server?.isAlive()).toBe(false);
      expect(server?.killedBy()).toBe(
        'the kernel killed one of its processes, since it reached its memory limit of 150 MB',
      );
    }
    expect(ownGroups()).toEqual([]);
  });

  test('what reaches it while starting is said to have', async () => {
    const start: LocalTarget['start'] = ['node', '-e', 'Buffer.alloc(200e6, 1)'];
    const target: LocalTarget = { ...fixture('ok'), memoryLimit: 100e6, start };
    await using guarded = startContext();
    const { started, ...rest } = await launched([await specOf(target, SINGLE)], guarded.context);
    await using _ = rest;
    const message =
      'the kernel killed one of its processes, since it reached its memory limit of 100 MB';
    expect(started[0]?.outcome).toMatchObject({ state: 'failed', failure: { message } });
  });
});
