import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { RunRecord } from '../../src/record/record.ts';
import { simulate } from '../support/command.ts';
import { folderOfEach } from '../support/folder-of-each.ts';
import type { ServerModel } from '../support/simulated/server.ts';
import { of, simulateRun, simulateTo, withOne } from '../support/simulated-run.ts';
import { expectAnswers, recordIn, rowOf } from './harness.ts';

const folder = folderOfEach();

/** Two servers in slices, by default in two launches. */
const RUN = `frameworks ${of('ok,ok-too')} --seed 1 --slice 0.5 --warmup 0.2`;
const TWO = `${RUN} -d 2 --launches 2`;
const DIED = { message: 'one of its processes died under load', died: true };
const GONE = { logTail: ['simulated: giving up'], ...DIED };

/** A world in which one of the servers is like this in a launch, the first unless another is given. */
const where = (model: Partial<ServerModel>, launch = 0) => withOne('ok', model, launch);

function slicesOf({ slices }: RunRecord, target: string) {
  return slices.filter(({ cell }) => cell.startsWith(`${target}/`));
}

const NOT_STARTED = { when: 'start', message: 'it ended with code 7 while starting' } as const;
const OTHERWISE = { when: 'verify', message: 'status 503 instead of 200' } as const;
test('a server that fails in its first launch is told of once, and the others go on', async () => {
  const { stdout, stderr, record } = await simulateTo(1, TWO, where({ failsAt: NOT_STARTED }));
  // It was never measured before, so that it is not started again in the next launch.
  const failure = { server: 'ok/single', launch: 0, died: false, logTail: [], ...NOT_STARTED };
  expect(record.failures).toEqual([failure]);
  expect(slicesOf(record, 'ok')).toEqual([]);
  expect(slicesOf(record, 'ok-too')).toHaveLength(8);
  expect(rowOf(stdout, 'Fine')).toContain('failed');
  expect(rowOf(stdout, 'Fine too')).toMatch(/\d/);
  expect(stdout).toContain(`${NOT_STARTED.message}.`);
  expect(stderr).toContain(`ok/single failed: ${NOT_STARTED.message}`);
});

const WAYS: [when: string, model: Partial<ServerModel>, failure: object][] = [
  ['at its start', { failsAt: NOT_STARTED }, { ...NOT_STARTED, died: false, logTail: [] }],
  ['as it is verified', { failsAt: OTHERWISE }, { ...OTHERWISE, died: false, logTail: [] }],
  ['in blocks that are not counted', { diesAfterRequests: 100 }, { when: 'slice', ...GONE }],
  ['in a slice', { diesAfterRequests: 50_000 }, { when: 'slice', ...GONE }],
];
const FOUR = `${RUN} -d 4 --launches 4`;

test.each(WAYS)('a server failing %s keeps other launches, and has a flag', async (...given) => {
  const [, model, failure] = given;
  const { stdout, stderr, record } = await simulateTo(0, FOUR, where(model, 1));
  expect(record.failures).toEqual([{ server: 'ok/single', launch: 1, ...failure }]);
  // In each launch two slices under the load asked for, and one under each of the others.
  const launches = slicesOf(record, 'ok').map(({ launch }) => launch);
  expect(launches).toEqual([0, 0, 0, 0, 2, 2, 2, 2, 3, 3, 3, 3]);
  expect(slicesOf(record, 'ok-too')).toHaveLength(16);
  expect(rowOf(stdout, 'Fine')).toMatch(/^Fine +10\.0\d ±0\.00 /);
  const [, letter = ''] = /^([a-z]) FAILED: it failed in a launch/m.exec(stdout) ?? [];
  expect(rowOf(stdout, 'Fine').split(/ +/)).toContain(letter);
  expect(rowOf(stdout, 'Fine too').split(/ +/)).not.toContain(letter);
  expect(stderr).toContain('ok/single failed: ');
});

test('a server that fails at any moment leaves all else as it would have been', async () => {
  const THREE = `${RUN} -d 3 --launches 3`;
  const own = (record: RunRecord) => slicesOf(record, 'ok').filter(({ launch }) => launch === 1);
  const others = ({ slices }: RunRecord) => {
    const kept = slices.filter(({ cell, launch }) => launch !== 1 || !cell.startsWith('ok/'));
    return kept.map(({ cell, launch, measurement: { window, cpu } }) => {
      return { cell, launch, window, server: cpu.server };
    });
  };
  const { record: whole } = await simulateRun(THREE);
  const lives = fc.noBias(fc.integer({ min: 0, max: 9000 }));
  const leaves = async (livesMs: number) => {
    const { record } = await simulateTo(0, THREE, where({ livesNs: livesMs * 1e6 }, 1));
    expect(record.failures).toMatchObject([{ server: 'ok/single', launch: 1, ...DIED }]);
    expect(others(record)).toEqual(others(whole));
    const before = own(record);
    expect(before).toEqual(own(whole).slice(0, before.length));
  };
  await fc.assert(fc.asyncProperty(lives, leaves), { numRuns: 8 });
});

test('a run in which every server fails has measured nothing: it ends with 2 and says why', async () => {
  const fails = { server: () => ({ failsAt: NOT_STARTED }) };
  const { stdout, record } = await simulateTo(2, `${TWO} --topology single,1`, fails);
  expect(record.slices).toEqual([]);
  expect(record.failures.map(({ server }) => server)).toEqual([
    ...['ok/single', 'ok-too/single', 'canned/single', 'ok/1', 'ok-too/1', 'canned/1'],
  ]);
  expect(rowOf(stdout, 'Fine')).toContain('failed');
});

test('a server that dies under an unbroken load fails, and the next one is measured', async () => {
  const line = `frameworks --contiguous ${of('ok,ok-too')} -d 1 --launches 2 --warmup 0`;
  const { record, stdout } = await simulateTo(1, line, where({ diesAfterRequests: 5000 }));
  expect(record.failures).toEqual([{ server: 'ok/single', launch: 0, when: 'slice', ...GONE }]);
  const measured = record.slices.map(({ cell }) => cell);
  expect(measured).toEqual(['ok-too/single/published', 'ok-too/single/published']);
  expect(rowOf(stdout, 'Fine')).toContain('failed');
});

test('wrong answers under load are counted, and make a cell invalid', async () => {
  const wrong = where({ wrongShare: 0.01 });
  const { stdout, record } = await simulateTo(1, `${TWO} --warmup 2`, wrong);
  expect(record.failures).toEqual([]);
  expectAnswers(record);
  for (const { cell, launch, measurement } of record.slices) {
    const { ok, wrongBody } = measurement.window;
    const isWrong = cell.startsWith('ok/') && launch === 0;
    expect(wrongBody / (ok + wrongBody), cell).toBeCloseTo(isWrong ? 0.01 : 0, isWrong ? 4 : 12);
  }
  // Whose answers are wrong has no rank.
  const [, ranked = ''] = stdout.split('\nAs single processes');
  expect(rowOf(ranked, 'Fine')).toMatch(/^Fine +– /);
  expect(rowOf(ranked, 'Fine too')).toMatch(/^Fine too +1 /);
  expect(stdout).toContain('BAD_RESPONSE (invalid requests/s, latency, CPU and memory)');
});

test('a server that never rests is measured in unbroken slices', async () => {
  const { record } = await simulateTo(0, TWO, where({ neverIdle: true }));
  expectAnswers(record);
  const blocksOf = (target: string) => {
    return record.slices
      .filter(({ cell, launch }) => cell === `${target}/single/cost` && launch === 0)
      .map(({ measurement: { blocks, leadIn } }) => [blocks.length, leadIn.hasSettled]);
  };
  expect(blocksOf('ok')).toEqual([[1, null]]);
  expect(blocksOf('ok-too')).toEqual([[20, true]]);
});

describe.each([
  { how: 'dies', message: /^the load generator ended with SIGKILL$/ },
  { how: 'hangs', message: /^the load generator did not answer within \d+ s$/ },
] as const)('a generator that $how', ({ how, message }) => {
  test('at any moment is replaced, and what it was to measure is measured again', async () => {
    const { record: whole } = await simulateRun(TWO);
    for (let afterOrders = 0; ; afterOrders += 4) {
      const generator = { fails: { afterOrders, how }, failing: 1 };
      const { stdout, record } = await simulateTo(0, TWO, { generator });
      expect(record.failures).toEqual([]);
      expect(record.slices).toHaveLength(whole.slices.length);
      expectAnswers(record);
      // There are fewer orders than that.
      if (record.repeats.length === 0) break;
      expect(record.repeats).toMatchObject([{ message: expect.stringMatching(message) }]);
      expect(stdout).toMatch(/1 measurement repeated with a new\s+generator: the load/);
    }
  });

  test('whenever it is started leaves nothing that was measured', async () => {
    const generator = { fails: { afterOrders: 0, how } };
    const { stderr, record } = await simulateTo(2, TWO, { generator });
    expect(record.slices).toEqual([]);
    expect(new Set(record.failures.map(({ server }) => server)).size).toBe(3);
    for (const failure of record.failures) expect(failure.message).toMatch(/, twice$/);
    expect(stderr).toMatch(/; measuring again with a new one: \w+\/single/);
    expect(stderr).not.toContain('defect');
  });
});

test.each([1, 4])('a record lost after round %d ends the run with its tables', async (round) => {
  vi.stubEnv('TMPDIR', folder.path);
  const records = join(folder.path, 'records');
  const out = join(records, 'record.json');
  let isInTheWay = false;
  const run = await simulate(`${TWO} --out '${out}'`, {}, (said) => {
    if (isInTheWay || said.split('a round is over').length <= round) return;
    isInTheWay = true;
    renameSync(records, `${records}-before`);
    writeFileSync(records, '');
  });
  expect(run.code).toBe(1);
  expect(run.stderr).toContain("error: can't save the record");
  expect(run.stderr).toMatch(
    /^Saved as \/.*record-\d+\.json instead\nIts page: .*record-\d+\.html$/m,
  );
  expect(run.stderr.split('a round is over')).toHaveLength(round + 1);
  expect(rowOf(run.stdout, 'Fine')).toMatch(/\d/);
  expect(recordIn(join(`${records}-before`, 'record.json')).state).toBe('running');
});
