/** Rows 9, 10 and 15: a machine that lacks descriptors, ports, disk, cores, memory, or a part of the system. */
import { chownSync, existsSync, mkdtempSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execaSync } from 'execa';
import { beforeEach, expect, test } from 'vitest';
import { ROOT } from '../../src/base/places.ts';
import { inGroups } from '../../src/system/control-groups.ts';
import { CLI, harnessPlace, on, recordIn, rowOf, SHORT } from '../cli/harness.ts';
import { simulate } from '../support/command.ts';
import {
  CAN_LIMIT,
  CAN_LIMIT_MEMORY,
  CAN_UNSHARE,
  limitedGroup,
} from '../support/control-groups.ts';

const place = harnessPlace();
const RUN = ['frameworks', ...on(['ok'], 'single'), ...SHORT];
const GROUP = `test-${place.folder.slice(-8)}`;
const NOBODY = 65_534;
const AS_NOBODY = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] as const;
let results = '';
let out = '';
beforeEach(() => {
  results = mkdtempSync(join(place.folder, 'results-'));
  out = join(results, 'record.json');
});

/** Runs in mounts of its own that these commands make. */
function mounted(commands: string, as = '', args = RUN) {
  return place.startWithin('--mount', commands, [...args, '--out', out], as).finished;
}

/** Runs in a network with so many ports for connections, each of which is taken for a minute after its end. */
function withPorts(count: number, ...args: string[]) {
  const settings = [
    'ip link set lo up',
    `echo '40000 ${40_000 + count - 1}' > /proc/sys/net/ipv4/ip_local_port_range`,
    'echo 0 > /proc/sys/net/ipv4/tcp_tw_reuse',
  ];
  const all = [...RUN, ...args, '--out', out];
  return place.startWithin('--net', settings.join(' && '), all).finished;
}

test('row 9: -c 1000 with 256 descriptors is refused before anything is measured', async () => {
  const script = 'ulimit -n 256 && exec "$0" "$@"';
  const args = [...RUN, '-c', '1000', '--out', out];
  const run = await place.start(args, {}, (command) => ['sh', '-c', script, ...command]).finished;
  expect(run).toMatchObject({ code: 2, stdout: '' });
  const message = /1000 connections need \d+ file descriptors a process, and 256 are allowed/;
  expect(run.stderr).toMatch(message);
  expect(run.stderr).toContain('ulimit -Hn');
});

test.runIf(CAN_UNSHARE)('row 9: more connections than local ports are refused', async () => {
  const run = await withPorts(500, '-c', '501');
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toContain('501 connections to a server need a local port each');
  expect(run.stderr).toContain('this machine has 500');
  expect(run.stderr).toContain('net.ipv4.ip_local_port_range');
});

test.runIf(CAN_UNSHARE)('row 9: ports that run out are not the fault of the server', async () => {
  const run = await withPorts(150, '-c', '100');
  const { state, failures } = recordIn(out);
  expect(state).toBe('complete');
  expect(failures.length).toBeGreaterThan(0);
  for (const { message, died } of failures) {
    expect(message).toContain('no local port is left for a connection (EADDRNOTAVAIL)');
    expect(died).toBe(false);
  }
  expect(run.code).not.toBe(0);
  expect(run.stdout).toContain('no local port is left for a connection');
});

test.runIf(CAN_UNSHARE)('row 9: with enough ports the same run measures everything', async () => {
  await withPorts(5000, '-c', '100');
  place.wholeRecord({ repeats: [] }, out);
});

test.runIf(CAN_UNSHARE)('row 10: with a full disk the record is saved elsewhere', async () => {
  const fill = `head -c 61440 /dev/zero > ${results}/ballast`;
  const run = await mounted(`mount -t tmpfs -o size=64k tmpfs ${results} && ${fill}`);
  expect(run.code).toBe(1);
  expect(run.stderr).toContain("can't save the record: ENOSPC");
  expect(rowOf(run.stdout, 'Fine')).toMatch(/\d/);
  const [, spare = ''] = /^Saved as (.*record-\d+\.json) instead$/m.exec(run.stderr) ?? [];
  expect(dirname(spare)).toBe(place.folder);
  expect(recordIn(spare).slices.length).toBeGreaterThan(0);
});

test.runIf(CAN_UNSHARE)('row 10: a folder that can only be read is refused at once', async () => {
  const run = await mounted(`mount -t tmpfs -o ro tmpfs ${results}`);
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toContain("can't save the record: EROFS");
});

test('row 10: the folder of a simulated run is made again if it is removed', async () => {
  const before = `${results}-before`;
  const { stderr } = await simulate([...RUN, '--out', out], {}, (said) => {
    if (said.includes('a round is over') && !existsSync(before)) renameSync(results, before);
  });
  expect(stderr).toContain('Saved as ');
  expect(recordIn(join(before, 'record.json')).state).toBe('running');
  expect(recordIn(out).state).toBe('complete');
});

test.runIf(CAN_LIMIT)('row 15: half a core counts as one, and all is measured', async () => {
  await using group = limitedGroup(GROUP, 0.5);
  const args = [...RUN, '--topology', 'single,max', '--out', out];
  await place.start(args, {}, (command) => inGroups([group], command)).finished;
  const { machine, plan } = place.wholeRecord({}, out);
  expect(machine.parallelism).toBe(1);
  expect(plan.topologies.map(({ processes }) => processes)).toEqual([1, 1]);
});

test.runIf(CAN_LIMIT_MEMORY)('row 15: 512 MB, too little for any server, are refused', async () => {
  await using group = limitedGroup(GROUP, 512 * 2 ** 20, 'memory');
  const args = [...RUN, '--out', out];
  const run = await place.start(args, {}, (command) => inGroups([group], command)).finished;
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toMatch(
    /not enough memory: the largest server may need \d\.\d GB, and of the 0\.5 GB available 75 % may be planned for/,
  );
});

test.runIf(CAN_UNSHARE)('row 15: all is measured where processes are hidden', async ({ skip }) => {
  const [setpriv, ...ids] = AS_NOBODY;
  const { exitCode } = execaSync(setpriv, [...ids, 'test', '-r', CLI], { reject: false });
  skip(exitCode !== 0, 'another user may not read this checkout');
  for (const folder of [place.folder, results]) chownSync(folder, NOBODY, NOBODY);
  const as = AS_NOBODY.join(' ');
  const hidden = `${as} sh -c 'test ! -e /proc/1/stat'`;
  await mounted(`mount -t proc -o hidepid=2 proc /proc && ${hidden}`, as);
  place.wholeRecord({}, out);
});

test.runIf(CAN_UNSHARE)(
  'row 15: with a read-only source tree and without control groups all is measured but limits',
  async () => {
    const without = 'mount -t tmpfs tmpfs /sys/fs/cgroup && test ! -e /sys/fs/cgroup/cpu';
    const readOnly = `mount --bind '${ROOT}' '${ROOT}' && mount -o remount,bind,ro '${ROOT}'`;
    await mounted(`${without} && ${readOnly} && ! touch '${ROOT}/bench/written' 2> /dev/null`);
    place.wholeRecord({}, out);
    const run = await mounted(without, '', [...RUN, '--cpu-limit', '0.5']);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain('no control group');
  },
);
