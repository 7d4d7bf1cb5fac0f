/** Row 10: a full disk, a folder that can't be written or goes away. */
import { mkdtempSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { measured, on, recordIn, rowOf, SHORT, start } from '../cli/harness.ts';
import { ownPlace } from '../support/leftovers.ts';
import { CAN_UNSHARE, startWithin } from './namespaces.ts';

const place = ownPlace();
const OPTIONS = [...on(['ok'], 'single'), ...SHORT];
const RUN = ['frameworks', ...OPTIONS];
let results = '';
let out = '';
beforeEach(() => {
  results = mkdtempSync(join(place.folder, 'results-'));
  out = join(results, 'record.json');
});

/** Runs the command line after these commands of a shell, in mounts of its own. */
function mounted(commands: string, args: string[]) {
  return startWithin(place, { kinds: ['--mount'], commands }, args).finished;
}

/** The records that stand in for the one that could not be saved. */
function spareRecords(): string[] {
  return readdirSync(place.folder).filter((name) => /^record-\d+\.json$/.test(name));
}

test.runIf(CAN_UNSHARE)(
  'a full disk: the tables are printed, and the record is saved elsewhere',
  async () => {
    const full = `mount -t tmpfs -o size=64k tmpfs ${results} && head -c 61440 /dev/zero > ${results}/ballast`;
    const run = await mounted(full, [...RUN, '--out', out]);
    expect(run.code).toBe(1);
    expect(run.stderr).toContain("can't save the record: ENOSPC");
    expect(rowOf(run.stdout, 'Fine')).toMatch(/\d/);
    const [spare = ''] = spareRecords();
    expect(run.stderr).toContain(`Saved as ${join(place.folder, spare)} instead`);
    const record = recordIn(join(place.folder, spare));
    expect(record.slices.length).toBeGreaterThan(0);
  },
);

test.runIf(CAN_UNSHARE)(
  'a folder that can only be read is refused before anything is measured',
  async () => {
    const run = await mounted(`mount -t tmpfs -o ro tmpfs ${results}`, [...RUN, '--out', out]);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain("can't save the record: EROFS");
  },
);

test('a folder that is gone in the middle of the run is made again', async () => {
  const harness = start(place, [...RUN, '-d', '1.2', '--out', out]);
  await harness.untilSays('a round is over');
  renameSync(results, `${results}-before`);
  const run = await harness.finished;
  expect(recordIn(join(`${results}-before`, 'record.json')).state).toBe('running');
  expect(recordIn(out).state).toBe('complete');
  expect(run.stderr).toContain('Saved as ');
});

test('a file where the folder was: what was measured is saved elsewhere', async () => {
  const before = spareRecords().length;
  const harness = start(place, [...RUN, '-d', '1.2', '--out', out]);
  await harness.untilSays('a round is over');
  renameSync(results, `${results}-of-before`);
  writeFileSync(results, '');
  const run = await harness.finished;
  expect(run.code).toBe(1);
  expect(rowOf(run.stdout, 'Fine')).toMatch(/\d/);
  expect(spareRecords()).toHaveLength(before + 1);
});

test('with room for it a run is saved where it was asked for', async () => {
  const { record } = await measured(place, 'frameworks', ...OPTIONS);
  expect(record.state).toBe('complete');
});
