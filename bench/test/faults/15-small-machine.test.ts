/** Row 15: half a core, 512 MB, no `/proc` of other users, a source tree that can only be read, no control groups. */
import { chownSync, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../../src/base/places.ts';
import {
  groupForOthers,
  inGroups,
  makeGroup,
  removeGroup,
} from '../../src/system/control-groups.ts';
import { CLI, expectAnswers, on, overhead, recordIn, SHORT, startCommand } from '../cli/harness.ts';
import { CAN_LIMIT } from '../support/control-groups.ts';
import { ownPlace } from '../support/leftovers.ts';
import { CAN_UNSHARE, startWithin } from './namespaces.ts';

const place = ownPlace();
const out = join(place.folder, 'record.json');
const RUN = ['frameworks', ...on(['ok'], 'single'), ...SHORT, '--out', out];
const NOBODY = 65_534;
const AS_NOBODY = `setpriv --reuid=${NOBODY} --regid=${NOBODY} --clear-groups`;

/** What the run has measured, all of it. */
function whole() {
  const record = recordIn(out);
  expect(record).toMatchObject({ state: 'complete', failures: [] });
  expectAnswers(record);
  return record;
}

test.runIf(CAN_LIMIT)('half a core counts as one, and all is measured', async () => {
  const { version, folder } = groupForOthers(['cpu']);
  const group = { version, folder: join(folder, `test-${place.folder.slice(-8)}`) };
  makeGroup(group, [{ controller: 'cpu', cores: 0.5 }]);
  onTestFinished(() => removeGroup(group));
  await startCommand(
    place,
    inGroups([group], [process.execPath, CLI, ...RUN, '--topology', 'single,max']),
  ).finished;
  const { machine, plan } = whole();
  expect(machine.parallelism).toBe(1);
  expect(plan.topologies.map(({ processes }) => processes)).toEqual([1, 1]);
});

/** A group in which all together have so much memory, in version 1 beside that of this process. */
function memoryGroup(bytes: number): string | null {
  const own = /^\d+:memory:(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1];
  const above = join('/sys/fs/cgroup/memory', own ?? 'none');
  if (own === undefined || !existsSync(above)) return null;
  const folder = join(above, `test-${place.folder.slice(-8)}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'memory.limit_in_bytes'), String(bytes));
  return folder;
}

test('512 MB are too little for any server, which is said before anything is measured', async ({
  skip,
}) => {
  const folder = memoryGroup(512 * 2 ** 20);
  if (folder === null) return skip('no control group of memory may be made here');
  onTestFinished(() => rmdirSync(folder));
  const command = inGroups([{ version: 1, folder }], [process.execPath, CLI, ...RUN]);
  const run = await startCommand(place, command).finished;
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toMatch(
    /not enough memory: the largest server may need \d\.\d GB, and of the 0\.5 GB available 75 % may be planned for/,
  );
});

/** Runs it in mounts of its own that these commands make. */
function mounted(commands: string, as = '') {
  return startWithin(place, { kinds: ['--mount'], commands, as }, RUN).finished;
}

test.runIf(CAN_UNSHARE)('where nobody sees what others run, all is measured', async ({ skip }) => {
  const { exitCode } = execaSync('setpriv', [...AS_NOBODY.split(' ').slice(1), 'test', '-r', CLI], {
    reject: false,
  });
  skip(exitCode !== 0, 'another user may not read this checkout');
  chownSync(place.folder, NOBODY, NOBODY);
  const hidden = `${AS_NOBODY} sh -c 'test ! -e /proc/1/stat'`;
  await mounted(`mount -t proc -o hidepid=2 proc /proc && ${hidden}`, AS_NOBODY);
  whole();
});

test.runIf(CAN_UNSHARE)('with a source tree that can only be read, all is measured', async () => {
  const readOnly = `mount --bind '${ROOT}' '${ROOT}' && mount -o remount,bind,ro '${ROOT}'`;
  await mounted(`${readOnly} && ! touch '${ROOT}/bench/written' 2> /dev/null`);
  whole();
});

const WITHOUT_GROUPS = 'mount -t tmpfs tmpfs /sys/fs/cgroup && test ! -e /sys/fs/cgroup/cpu';

test.runIf(CAN_UNSHARE)('without control groups all is measured but limits', async () => {
  await mounted(WITHOUT_GROUPS);
  whole();
  const limits = ['--cpu-limit', '0.5'];
  const run = await startWithin(place, { kinds: ['--mount'], commands: WITHOUT_GROUPS }, [
    ...RUN,
    ...limits,
  ]).finished;
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toContain('no control group');
});

test('on the machine as it is, all is measured', async () => {
  await overhead(place, ...RUN);
  expect(whole().machine.parallelism).toBeGreaterThan(0);
});
