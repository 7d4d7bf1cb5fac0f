import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CAN_PROFILE } from '../../src/system/inspector.ts';
import { simulate } from '../support/command.ts';
import { folderOfEach } from '../support/folder-of-each.ts';
import type { World } from '../support/simulated/backend.ts';
import { of, simulateTo, simulateWell, withOne } from '../support/simulated-run.ts';
import { expectAnswers, recordIn, rowOf } from './harness.ts';

const folder = folderOfEach();
const AMOUNTS = '-d 0.8 --slice 0.2 --launches 2 --warmup 0.1';
const WHERE = `where ${of('ok,ok-too', null)} ${AMOUNTS}`;

/** A request is dearer by a tenth while its server is sampled. */
const WORLD: World = {
  server: (target) => ({ coldTimes: 1, cpuNs: target.startsWith('ok-too') ? 30_000 : 20_000 }),
  arrangement: (kind) => (kind === 'profiled' ? 1.1 : 1),
};

describe.runIf(CAN_PROFILE)('where the time goes', () => {
  test('is told of every server, and the profiles are kept where they are asked for', async () => {
    const line = `${WHERE} --profile-dir '${folder.path}'`;
    const { stdout, record } = await simulateWell(line, WORLD);
    expect(record.profiles).toHaveLength(4);
    // In both ways of slicing.
    expect(record.collected).toHaveLength(8);
    for (const { functions, samples } of record.profiles) {
      // Of two slices of 0.2 s, every millisecond.
      expect(samples).toBe(400);
      expect(functions.map(({ owner }) => owner.kind)).toEqual(['node', 'native', 'collector']);
    }
    expect(readdirSync(folder.path).filter((name) => name.endsWith('.cpuprofile'))).toHaveLength(8);
    expect(stdout).toMatch(/^overhead where\n/);
    const [, where = ''] = stdout.split('Where the microseconds go');
    // A fifth is the kernel's, in what is native; what sampling adds is off all parts.
    expect(rowOf(where, 'Fine')).toMatch(/ 4\.00 +2\.00 +2\.00 +12\.0 .* 20\.00 ±0\.00 /);
    expect(rowOf(where, 'Fine too')).toMatch(/ 6\.00 +3\.00 +3\.00 +18\.0 .* 30\.00 ±0\.00 /);
    // Beside each of them ran the same server, never sampled.
    expect(where.replaceAll(/\s+/g, ' ')).toMatch(/ Fine too .* 1\.00 \[1\.00, 1\.00\] agrees /);
  });

  test('comes after a run that asks for it, in launches and a record of its own, and keeps its exit code', async () => {
    const targets = of('ok,wrong-under-load');
    const out = `--out '${folder.path}/record.json'`;
    const line = `frameworks ${targets} -c 10 ${AMOUNTS} --where ${out}`;
    const wrong = withOne('wrong-under-load', { wrongShare: 0.1 });
    const { code, stdout } = await simulate(line, wrong);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^overhead frameworks\n/);
    expect(stdout).toMatch(/^overhead where$/m);
    const records = ['record.json', 'record-where.json'].map((name) => {
      return recordIn(join(folder.path, name));
    });
    expect(records.map(({ profiles }) => profiles.length)).toEqual([0, 4]);
    for (const record of records) expectAnswers(record);
  });

  test('goes on without a server that dies while it is sampled, and tells of its other launch', async () => {
    const dying = withOne('ok', { diesAfterRequests: 60_000 }, 1);
    const { stderr, record } = await simulateTo(0, WHERE, dying);
    expect(stderr).toContain('ok/single failed: ');
    const failure = { server: 'ok/single', launch: 1, when: 'slice', died: true };
    expect(record.failures).toMatchObject([failure]);
    expect(record.profiles.map(({ cell }) => cell)).toContain('ok-too/single/cost/profiled');
  });
});
