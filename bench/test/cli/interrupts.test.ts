import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../src/load/clock.ts';
import { BYTES_BESIDE, BYTES_PER_PROCESS, MEMORY_SHARE } from '../../src/plan/resources.ts';
import { type SendSignal, simulate } from '../support/command.ts';
import { folderOfEach } from '../support/folder-of-each.ts';
import type { World } from '../support/simulated/backend.ts';
import { of } from '../support/simulated-run.ts';
import { recordIn } from './harness.ts';

const folder = folderOfEach({ isCwd: true });
const pathOfRecord = () => join(folder.path, 'record.json');
const saved = () => recordIn(pathOfRecord());
/** Two servers in two launches of slices. */
const SLICED = '-d 1 --slice 0.5 --launches 2 --warmup 0.2 --out record.json';

const WAYS = [
  { way: 'Ctrl-C', signals: ['SIGINT'], code: 130 },
  { way: 'Ctrl-C twice', signals: ['SIGINT', 'SIGINT'], code: 130 },
  { way: 'SIGTERM', signals: ['SIGTERM'], code: 143 },
  { way: 'SIGHUP', signals: ['SIGHUP'], code: 129 },
  { way: 'SIGTERM after Ctrl-C', signals: ['SIGINT', 'SIGTERM'], code: 130 },
] as const;
type Signals = (typeof WAYS)[number]['signals'] | readonly [];

/** At the end of which sleep the first signal comes, and how many later the next. */
interface Moment {
  at: number;
  later: number;
}

/** What a command comes to in which signals come then: its sleeps, and the rounds before the first signal. */
async function interrupted(line: string, signals: Signals, { at, later }: Moment, world?: World) {
  let [rounds, said] = [0, ''];
  const onSaid = (text: string) => {
    said = text;
  };
  const onWake = (count: number, send: SendSignal) => {
    if (count === at) rounds = said.split('a round is over').length - 1;
    for (const [index, name] of signals.entries()) if (count === at + index * later) send(name);
  };
  return { ...(await simulate(line, world, onSaid, onWake)), rounds };
}

/** The same, uninterrupted, with its record. */
async function whole(line: string) {
  const { sleeps } = await interrupted(line, [], { at: 0, later: 0 });
  return { sleeps, record: saved() };
}

/** Ends a run like that, and expects all that was measured before to be kept. */
async function expectKept(
  line: string,
  { signals, code: asked }: (typeof WAYS)[number],
  moment: Moment,
  { sleeps, record: full }: Awaited<ReturnType<typeof whole>>,
) {
  const run = await interrupted(line, signals, moment);
  const hasCome = moment.at <= sleeps;
  const record = saved();
  expect(run.code).toBe(hasCome ? asked : 0);
  expect(record).toMatchObject({ state: hasCome ? 'interrupted' : 'complete', failures: [] });
  // What was measured is what would have been measured anyway, and no finished round is lost.
  expect(record.slices).toEqual(full.slices.slice(0, record.slices.length));
  const rounds = full.plan.launches.flat().flatMap((group) => group.rounds);
  const due = hasCome ? rounds.slice(0, run.rounds) : rounds;
  expect(record.slices.length).toBeGreaterThanOrEqual(due.flat().length);
  const hasOneCtrlC = signals[0] === 'SIGINT' && hasCome;
  expect(run.stderr.split('Ending after this slice')).toHaveLength(hasOneCtrlC ? 2 : 1);
  return { ...run, record };
}

test.each(WAYS)('$way at any moment of a run in slices keeps all rounds so far', async (way) => {
  const line = `frameworks ${of('ok,ok-too')} --seed 1 ${SLICED}`;
  const full = await whole(line);
  const at = fc.noBias(fc.integer({ min: 1, max: full.sleeps + 1 }));
  const moments = fc.record({ at, later: fc.nat({ max: 3 }) });
  const keeps = async (moment: Moment) => void (await expectKept(line, way, moment, full));
  await fc.assert(fc.asyncProperty(moments, keeps), { numRuns: 8 });
});

describe('a run of unbroken slices', () => {
  const options = '-c 10 -d 2 --launches 1 --warmup 0.1 --out record.json';
  const line = `frameworks --contiguous ${of('ok,ok-too')} --seed 1 ${options}`;

  test('ends after the slice that a first Ctrl-C comes in', async () => {
    const full = await whole(line);
    const lengths: number[] = [];
    for (let at = 1; at <= full.sleeps; at++) {
      const { record } = await expectKept(line, WAYS[0], { at, later: 0 }, full);
      lengths.push(record.slices.length);
    }
    // One is under way from its first sleep to its last, and each of them is measured to its end.
    expect(new Set(lengths)).toEqual(new Set([0, 1, 2]));
    expect(lengths).toEqual(lengths.toSorted());
  });

  test.each(WAYS.slice(1))('ends at once with $way', async (way) => {
    const full = await whole(line);
    for (let at = 1; at <= full.sleeps; at++) {
      const { sleeps } = await expectKept(line, way, { at, later: 0 }, full);
      // To close connections takes one more.
      expect(sleeps - at).toBeLessThanOrEqual(1);
    }
  });
});

test.each(WAYS)('`verify` that $way ends tells what it has found by then', async (ended) => {
  // So little memory that one server runs at a time.
  const memoryAvailableBytes = (BYTES_BESIDE + BYTES_PER_PROCESS) / MEMORY_SHARE;
  const line = `verify ${of('ok,ok-too')}`;
  const verified = async (at: number) => {
    const world = { machine: { memoryAvailableBytes } };
    const { code, stdout } = await interrupted(line, ended.signals, { at, later: 0 }, world);
    return { code, found: /^\d+ of \d+ servers|^Nothing/m.exec(stdout)?.[0] };
  };
  expect(await verified(0)).toEqual({ code: 0, found: '2 of 2 servers' });
  const found = ['Nothing', '1 of 1 servers', '2 of 2 servers'];
  const { code } = ended;
  // A first Ctrl-C lets the start that it comes in end.
  const more = ended.way === 'Ctrl-C' ? 1 : 0;
  expect(await verified(1)).toEqual({ code, found: found[more] });
  expect(await verified(2)).toEqual({ code, found: found[1 + more] });
});

test.each(WAYS)('`run` that $way ends as it probes servers has nothing to save', async (ended) => {
  const { signals, code } = ended;
  const line = "run 'node a.js' 'node b.js' --seed 1 --out record.json";
  // Each is asked for a second.
  for (const at of [1, 2]) {
    const run = await interrupted(line, signals, { at, later: 0 });
    expect(run).toMatchObject({ code, stdout: '', sleeps: at });
    expect(run.stderr).not.toContain('defect');
    expect(existsSync(pathOfRecord())).toBe(false);
  }
});

test('a generator that hangs has 10 s once the run is to end at once', async () => {
  const options = '-d 600 --launches 1 --warmup 0 --out record.json';
  const line = `frameworks --contiguous ${of('ok')} ${options}`;
  const world = { generator: { fails: { afterOrders: 0, how: 'hangs' } } } as const;
  const sentNs = 5e9;
  const onWake = async (count: number, send: SendSignal, clock: Clock) => {
    if (count > 1) return;
    await clock.sleep(sentNs - clock.now());
    send('SIGINT');
    send('SIGINT');
  };
  const run = await simulate(line, world, () => {}, onWake);
  expect(run.code).toBe(130);
  expect(saved()).toMatchObject({ state: 'interrupted', wallNs: sentNs + 10e9, slices: [] });
});

test('the same seed in the same world is the same record', async () => {
  const line = `frameworks ${of('ok,ok-too', 'single,2')} --seed 7 ${SLICED}`;
  const recordOf = async (seed: number) => {
    await simulate(line, { seed, generator: { noise: 0.05 } });
    return readFileSync(pathOfRecord(), 'utf8');
  };
  const first = await recordOf(3);
  expect(await recordOf(3)).toBe(first);
  expect(await recordOf(4)).not.toBe(first);
});
