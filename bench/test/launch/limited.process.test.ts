/** Servers with a CPU limit, however their processes are started, in real control groups. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { launch } from '../../src/launch/launch.ts';
import { limited } from '../../src/launch/limited.ts';
import { HOST, type LaunchContext, type Launcher } from '../../src/launch/server.ts';
import { launchSingle } from '../../src/launch/single.ts';
import type { Topology } from '../../src/plan/topology.ts';
import { freePort } from '../../src/system/free-port.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import { CAN_LIMIT, groupsOf } from '../support/control-groups.ts';
import { CLUSTER_OF_2, fixture, SINGLE, startContext, WAYS } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { CLEARED_MS, held, holdLimited } from './holding.ts';

const place = ownPlace();

async function specOf(target: LocalTarget, topology: Topology) {
  const port = await freePort(HOST);
  place.watch(port);
  return { key: `${target.name}/${topology.id}`, target, topology, port, services: [] };
}

async function start(targets: LocalTarget[], topologies: Topology[], context: LaunchContext) {
  const specs = await Promise.all(
    topologies.flatMap((topology) => targets.map((target) => specOf(target, topology))),
  );
  const launched = await launch(specs, context);
  const servers = launched.started.map(({ outcome }) => {
    if (outcome.state === 'failed') throw new Error(outcome.failure.message);
    return outcome.server;
  });
  return { servers, [Symbol.asyncDispose]: () => launched[Symbol.asyncDispose]() };
}

/** The groups of the runs of this file. */
const ownGroups = () => groupsOf(place.runFolders());

const membersOf = (folder: string) => {
  const lines = readFileSync(join(folder, 'cgroup.procs'), 'utf8').trim().split('\n');
  return lines.map(Number).sort((a, b) => a - b);
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

  test('the quota is there when the server starts', async () => {
    await using guarded = startContext();
    await using started = await start([LIMITED], [SINGLE], guarded.context);
    const folder = started.servers[0]?.group?.folder ?? '';
    const quota = ['cpu.max', 'cpu.cfs_quota_us']
      .map((name) => join(folder, name))
      .find(existsSync);
    expect(readFileSync(quota ?? '', 'utf8')).toMatch(/^50000\b/);
  });

  test('a process that is not in its group is a failure, and nothing is left', async () => {
    const elsewhere: Launcher = (specs, context) =>
      launchSingle(specs, { ...context, group: null });
    await using guarded = startContext();
    await using launched = await limited(elsewhere)(
      [await specOf(LIMITED, SINGLE)],
      guarded.context,
    );
    expect(launched.started[0]?.outcome).toMatchObject({
      state: 'failed',
      failure: { message: expect.stringMatching(/^process \d+ is not in its control group \//) },
    });
    await launched[Symbol.asyncDispose]();
    expect(ownGroups()).toEqual([]);
  });

  test('a server that fails to start leaves no group', async () => {
    await using guarded = startContext();
    const crashing = { ...fixture('crash-at-once'), cpuLimit: 0.5 };
    await using launched = await launch([await specOf(crashing, SINGLE)], guarded.context);
    expect(launched.started[0]?.outcome).toMatchObject({
      state: 'failed',
      failure: { message: 'it ended with code 1 while starting' },
    });
    await launched[Symbol.asyncDispose]();
    expect(ownGroups()).toEqual([]);
  });

  test('a launcher that throws leaves no group', async () => {
    await using guarded = startContext();
    const broken: Launcher = () => Promise.reject(new Error('no'));
    const spec = await specOf(LIMITED, SINGLE);
    await expect(limited(broken)([spec], guarded.context)).rejects.toThrow('no');
    expect(ownGroups()).toEqual([]);
  });

  test('a launcher that SIGKILL ends leaves no process, no group and no folder', async () => {
    const launcher = holdLimited(place);
    const { pids } = await held(launcher);
    // A plain process; two of pm2 with their daemon.
    expect(pids).toHaveLength(4);
    const runs = place.runFolders();
    expect(ownGroups()).toHaveLength(2);
    launcher.child.kill('SIGKILL');
    await launcher.child;
    await place.untilEmpty(CLEARED_MS);
    expect(groupsOf(runs)).toEqual([]);
  });
});
