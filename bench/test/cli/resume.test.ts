/** Runs that continue a saved one, on servers that are not there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { INVALID } from '../../src/base/errors.ts';
import type { RunRecord } from '../../src/record/record.ts';
import { simulate } from '../support/command.ts';
import { folderOfEach } from '../support/folder-of-each.ts';
import type { World } from '../support/simulated/backend.ts';
import { of, withOne } from '../support/simulated-run.ts';
import { expectAnswers, recordIn } from './harness.ts';

const folder = folderOfEach({ isCwd: true });
const OUT = '--out record.json';
const saved = () => recordIn(join(folder.path, 'record.json'));

const ASKED = `frameworks ${of('ok,ok-too')} --slice 0.5 --warmup 0.2 ${OUT}`;
/** Three launches of two rounds. */
const LINE = `${ASKED} -d 3 --launches 3`;
const CONTINUED = 'Continuing ';

/** Runs this to its end, or until a signal comes at the end of this sleep. */
function perform(line: string, world: World = {}, at = 0) {
  return simulate(line, world, undefined, (count, send) => {
    if (count === at) send('SIGTERM');
  });
}

const namesOf = ({ slices }: RunRecord) =>
  slices.map(({ cell, launch, round }) => `${launch} ${round} ${cell}`);

test('a run that was ended at any moment is continued to the same slices', async () => {
  const { sleeps } = await perform(`${LINE} --seed 1`);
  const full = saved();
  const continues = async (at: number) => {
    await perform(`${LINE} --seed 1`, {}, at);
    const before = saved();
    const { code, stderr } = await perform(`${LINE} --resume`);
    expect(code).toBe(0);
    expect(stderr).toContain(CONTINUED);
    const record = saved();
    expect(record).toMatchObject({ state: 'complete', startedAt: before.startedAt });
    expect(record.plan).toEqual(full.plan);
    expect(namesOf(record)).toEqual(namesOf(full));
    // No whole launch is measured again, and time goes on.
    const inLaunch = full.slices.length / 3;
    const kept = Math.floor(before.slices.length / inLaunch) * inLaunch;
    expect(record.slices.slice(0, kept)).toEqual(before.slices.slice(0, kept));
    const times = record.slices.map(({ startedNs }) => startedNs);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(record.wallNs).toBeGreaterThan(before.wallNs);
  };
  await fc.assert(fc.asyncProperty(fc.integer({ min: 2, max: sleeps }), continues), {
    numRuns: 8,
  });
});

test('without a file the run begins, and the same command adds nothing to a whole one', async () => {
  const first = await perform(`${LINE} --resume`);
  expect(first.stderr).not.toContain(CONTINUED);
  const before = saved();
  const again = await perform(`${LINE} --resume`);
  expect(again.stderr).toContain('3 of 3 launches are measured');
  expect(again.stdout).toBe(first.stdout);
  expect(saved().slices).toEqual(before.slices);
});

test('more launches are added to a run', async () => {
  await perform(LINE);
  const before = saved();
  await perform(`${ASKED} -d 5 --launches 5 --resume`);
  const record = saved();
  expect(record.plan.launches).toHaveLength(5);
  expect(record.plan.seed).toBe(before.plan.seed);
  expect(record.slices.slice(0, before.slices.length)).toEqual(before.slices);
  expect(record.slices.length).toBe((before.slices.length / 3) * 5);
});

test('a launch in which a server failed counts as measured', async () => {
  const world = withOne('ok-too', { failsAt: { when: 'start', message: 'no' } }, 1);
  await perform(LINE, world);
  const before = saved();
  expect(before.failures).toHaveLength(1);
  const { stderr } = await perform(`${LINE} --resume`);
  expect(stderr).toContain('3 of 3 launches');
  expect(saved().failures).toEqual(before.failures);
});

const atRevision = (revision: string): World => ({ machine: { git: { revision, dirty: false } } });
test.each<[string, string, message: string, World?]>([
  ['another seed', '--seed 2', 'seeds differ'],
  ['another number of connections', '-c 7', 'servers and their loads differ'],
  ['slices of another length', '--slice 0.25', '\n  loads differ\n'],
  ['fewer targets', of('ok'), 'servers and their loads differ'],
  ['code of another revision', '', 'revisions of the code differ', atRevision('b2')],
])('%s is refused, and the record stays as it was', async (_, options, message, world) => {
  const usual = atRevision('a1');
  await perform(`${LINE} --seed 1`, usual);
  const textOf = () => readFileSync(join(folder.path, 'record.json'), 'utf8');
  const before = textOf();
  const line = `${LINE} --seed 1 --resume ${options}`;
  const { code, stdout, stderr } = await perform(line, world ?? usual);
  expect({ code, stdout }).toEqual({ code: INVALID, stdout: '' });
  expect(stderr).toContain(message);
  expect(textOf()).toBe(before);
});

test('it needs a file, which must be a record', async () => {
  expect((await perform(`${LINE.replace(OUT, '')} --resume`)).stderr).toContain(
    '--resume needs -o',
  );
  folder.write('record.json', 'no record');
  const { code, stderr } = await perform(`${LINE} --resume`);
  expect(code).toBe(INVALID);
  expect(stderr).toContain("can't read");
});

test('servers that are named keep the load that their first probes have chosen', async () => {
  const line = `run 'node a.js' -d 2 --slice 0.5 --launches 2 --warmup 0.2 ${OUT}`;
  const { sleeps } = await perform(line);
  const full = saved();
  await perform(`${line} --seed ${full.plan.seed}`, {}, sleeps - 2);
  const slower = { server: () => ({ cpuNs: 5e7 }) };
  await perform(`${line} --resume`, slower);
  const record = saved();
  expect(record.state).toBe('complete');
  expect(record.plan).toEqual(full.plan);
});

test('a comparison goes on until it has its verdict', async () => {
  const line = `ab 'node a.js' 'node b.js' -d 1.2 --slice 0.3 --warmup 2 --seed 7 ${OUT}`;
  const world = { generator: { noise: 0.02 } };
  const { sleeps } = await perform(line, world);
  const full = saved();
  await perform(line, world, Math.round(sleeps / 2));
  const before = saved();
  expect(before.plan.launches.length).toBeLessThan(full.plan.launches.length);
  const { code, stdout } = await perform(`${line} --resume`, world);
  expect(code).toBe(0);
  expect(stdout).toContain(' same');
});

test('the sampled run beside it is continued too', async () => {
  const line = `${ASKED} -d 2 --launches 2 --where`;
  await perform(line);
  const { code, stderr } = await perform(`${line} --resume`);
  expect(code).toBe(0);
  expect(stderr.split(CONTINUED)).toHaveLength(3);
});

test('a generator that was the limit gets help, and what was measured before is measured again', async () => {
  // An answer takes one generator longer than the server, and two of them less.
  const world: World = {
    machine: { cores: [0, 1, 2, 3, 4, 5], parallelism: 6 },
    server: () => ({ coldTimes: 1, cpuNs: 6000 }),
    generator: { cpuNs: 4000 },
  };
  const helped = async (amounts: string) => {
    const load = `-c 20 -p 200 --slice 0.3 --warmup 0.2 --seed 1 ${amounts} ${OUT}`;
    const { stderr } = await perform(`frameworks ${of('ok,ok-too', '2')} ${load}`, world);
    const record = saved();
    expect(record).toMatchObject({ state: 'complete', failures: [] });
    expectAnswers(record);
    for (const { measurement } of record.slices) {
      expect(measurement.generators).toBe(2);
      // As many as the server can answer.
      expect(measurement.window.ok).toBe(100_000);
    }
    return stderr.split('was the bottleneck; it has 2 processes from now on').length - 1;
  };
  expect(await helped('-d 0.6 --launches 1')).toBe(1);
  // In later launches, also of a run that is continued, there are two from the start.
  expect(await helped('-d 1.8 --launches 3 --resume')).toBe(0);
});
