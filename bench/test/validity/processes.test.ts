import { describe, expect, test } from 'vitest';
import type { Failure } from '../../src/record/record.ts';
import { invalidates } from '../../src/validity/flags.ts';
import { type Happened, makeMachine, STACK } from '../support/make-record.ts';
import { flagIn, flagsWhen, flagWhen } from './cells.ts';

const TWO = { options: { topologies: [2] } } satisfies Parameters<typeof flagsWhen>[1];
const PAIR = 'floor/2/published';

describe('FAILED', () => {
  const failureIn = (launch: number, parts: Partial<Failure> = {}): Failure => ({
    ...{ server: 'floor/single', launch, when: 'slice', logTail: [], died: true, message: 'gone' },
    ...parts,
  });
  const last = { code: 'FAILED', launch: 2, when: 'slice', died: true } as const;

  test('fires where the server failed in a launch, and says in how many it was measured', () => {
    expect(flagsWhen({}, { failures: [failureIn(2)] })).toEqual([
      { ...last, measured: 2, launches: 3 },
      { code: 'INCONCLUSIVE', launches: 2, halfShare: 0, asked: 0.05 },
    ]);
    expect(flagsWhen({}, { failures: [failureIn(2, { server: 'top/single' })] })).toEqual([]);
  });

  test('tells of the last time, and whether a process was gone', () => {
    const failures = [failureIn(0), failureIn(2, { when: 'start', died: false })];
    const told = { ...last, when: 'start', died: false, measured: 1, launches: 3 };
    expect(flagWhen('FAILED', {}, { failures })).toEqual(told);
  });

  test('leaves nothing of those launches to be told of', () => {
    const options = { launches: 4, durationS: 12 };
    const wrong = (launch: number) => ({ wrongBody: launch === 2 ? 5 : 0 });
    const once = { failures: [failureIn(2)], options };
    expect(flagsWhen(wrong, once)).toEqual([{ ...last, measured: 3, launches: 4 }]);
    const always = { failures: [0, 1, 2].map((launch) => failureIn(launch)) };
    expect(flagsWhen({ wrongBody: 5 }, always)).toEqual([{ ...last, measured: 0, launches: 3 }]);
  });
});

describe('TOPOLOGY', () => {
  const flagOf = (happened: Parameters<typeof flagsWhen>[0]) => {
    return flagWhen('TOPOLOGY', happened, TWO, PAIR);
  };

  test('fires on the least even launch, though another one makes up for it', () => {
    const launches = [
      [280, 700],
      [180, 720],
      [720, 240],
    ];
    const flag = { code: 'TOPOLOGY', evenness: 0.25, launch: 1 };
    expect(flagOf((launch) => ({ workersCpuMs: launches[launch] ?? [] }))).toEqual(flag);
  });

  const short = (workersCpuMs: number[]): Happened => ({ windowS: 0.1, ok: 9800, workersCpuMs });
  const inRounds = [
    [800, 180],
    [180, 800],
    [490, 490],
  ];
  test.each<[string, Parameters<typeof flagsWhen>[0], boolean]>([
    ['a worker had nothing to do', { workersCpuMs: [980, 0] }, true],
    ['workers differ by less than half', { workersCpuMs: [330, 650] }, false],
    ['that may be luck in a short launch', short([80, 18]), false],
    ['that is none even then', short([98, 0]), true],
    ['single slices are uneven', (_, round) => ({ workersCpuMs: inRounds[round] ?? [] }), false],
  ])('where %s fires: %s', (_, happened, fires) => {
    expect(flagOf(happened) !== null).toBe(fires);
  });

  test('is silent on a single process, whatever it has begun itself', () => {
    expect(flagsWhen({ workersCpuMs: [980, 0] })).toEqual([]);
  });
});

test('SPREAD says how processes on one port share the work, which makes nothing invalid', () => {
  const sharing = { scale: { by: 'reuse-port' } } as const;
  const flagsFor = (workersCpuMs: number[]) => {
    const targets = STACK.map((target) => ({ ...target, ...sharing }));
    return flagsWhen({ workersCpuMs }, { targets });
  };
  const uneven = flagsFor([900, 80]);
  const evenness = expect.closeTo(80 / 900);
  expect(flagIn(uneven, 'SPREAD')).toEqual({ code: 'SPREAD', launch: 0, evenness });
  expect(flagIn(uneven, 'TOPOLOGY')).toBeNull();
  expect(uneven.flatMap(invalidates)).toEqual([]);
  expect(flagIn(flagsFor([500, 480]), 'SPREAD')).toBeNull();
});

test('SHARED_CPU fires where there is no core left for the generator', () => {
  const flagOf = (workers: number) => {
    const parts = { machine: makeMachine(), options: { topologies: [workers] } };
    return flagWhen('SHARED_CPU', {}, parts, `floor/${workers}/published`);
  };
  expect(flagOf(4)).toEqual({ code: 'SHARED_CPU', workers: 4, by: 'processes', cores: 4 });
  expect(flagOf(3)).toBeNull();
});

describe('IMPOSSIBLE', () => {
  test('fires where the server used more CPU time than its core has', () => {
    expect(flagsWhen({ cpuUsPerResponse: 10.5 })).toEqual([
      { code: 'IMPOSSIBLE', usedShare: expect.closeTo(1.029), cores: 1 },
    ]);
  });

  const short = { windowS: 0.1, ok: 9800, latenciesMs: [1000 / 98] };
  test.each<[string, boolean, ...Parameters<typeof flagsWhen>]>([
    ['counters may be off by that', false, { cpuUsPerResponse: 10.35 }],
    ['edges of short windows may be that', false, { ...short, cpuUsPerResponse: 10.5 }],
    ['they may not be that', true, { ...short, cpuUsPerResponse: 10.8 }],
    ['the server shares all cores', false, { cpuUsPerResponse: 20.5 }, TWO, PAIR],
    ['it used more than these have', true, { cpuUsPerResponse: 21 }, TWO, PAIR],
  ])('where %s fires: %s', (_, fires, ...when) => {
    expect(flagWhen('IMPOSSIBLE', ...when) !== null).toBe(fires);
  });
});
