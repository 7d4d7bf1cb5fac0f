import { describe, expect, test } from 'vitest';
import type { Failure } from '../../src/record/record.ts';
import { invalidates } from '../../src/validity/flags.ts';
import { makeMachine, STACK } from '../support/make-record.ts';
import { flagIn, flagsWhen } from './cells.ts';

describe('FAILED', () => {
  const failureIn = (launch: number, parts: Partial<Failure> = {}): Failure => ({
    ...{ server: 'floor/single', launch, when: 'slice', logTail: [], died: true },
    message: 'one of its processes died under load',
    ...parts,
  });

  test('fires where the server failed in a launch, and says in how many it was measured', () => {
    const flags = flagsWhen({}, { failures: [failureIn(2)] });
    expect(flags).toEqual([
      { code: 'FAILED', launch: 2, when: 'slice', died: true, measured: 2, launches: 3 },
      { code: 'INCONCLUSIVE', launches: 2, halfShare: 0, asked: 0.05 },
    ]);
  });

  test('tells of the last time, and whether a process was gone', () => {
    const failures = [failureIn(0), failureIn(2, { when: 'start', died: false })];
    expect(flagIn(flagsWhen({}, { failures }), 'FAILED')).toEqual({
      ...{ code: 'FAILED', launch: 2, when: 'start', died: false, measured: 1, launches: 3 },
    });
  });

  test('leaves nothing of that launch to be told of', () => {
    const flags = flagsWhen((launch) => ({ wrongBody: launch === 2 ? 5 : 0 }), {
      failures: [failureIn(2)],
      options: { launches: 4, durationS: 12 },
    });
    expect(flags).toEqual([
      { code: 'FAILED', launch: 2, when: 'slice', died: true, measured: 3, launches: 4 },
    ]);
  });

  test('is the only flag where nothing is left', () => {
    const failures = [0, 1, 2].map((launch) => failureIn(launch));
    expect(flagsWhen({ wrongBody: 5 }, { failures })).toEqual([
      { code: 'FAILED', launch: 2, when: 'slice', died: true, measured: 0, launches: 3 },
    ]);
  });

  test('is silent where another server failed', () => {
    expect(flagsWhen({}, { failures: [failureIn(2, { server: 'top/single' })] })).toEqual([]);
  });
});

describe('TOPOLOGY', () => {
  const flagOf = (workersCpuMs: (launch: number) => number[]) => {
    const flags = flagsWhen((launch) => ({ workersCpuMs: workersCpuMs(launch) }), TWO, ID);
    return flagIn(flags, 'TOPOLOGY');
  };
  const TWO: Parameters<typeof flagsWhen>[1] = { options: { topologies: [2] } };
  const ID = 'floor/2/published';

  test('fires where a worker had nothing to do', () => {
    const flag = { code: 'TOPOLOGY', evenness: 0, launch: 0 };
    expect(flagOf(() => [980, 0])).toEqual(flag);
  });

  test('fires on the least even launch, though another one makes up for it', () => {
    const launches = [
      [280, 700],
      [180, 720],
      [720, 240],
    ];
    const flag = { code: 'TOPOLOGY', evenness: 0.25, launch: 1 };
    expect(flagOf((launch) => launches[launch] ?? [])).toEqual(flag);
  });

  test('takes short launches for luck, but not a worker that did nothing', () => {
    const short = (workersCpuMs: number[]) => {
      const happened = { windowS: 0.1, ok: 9800, workersCpuMs };
      return flagIn(flagsWhen(happened, TWO, ID), 'TOPOLOGY');
    };
    expect(short([80, 18])).toBeNull();
    expect(short([98, 0])).toMatchObject({ evenness: 0 });
  });

  test('is silent where workers differ by less than half', () => {
    expect(flagOf(() => [330, 650])).toBeNull();
  });

  test('is silent where single slices are uneven, and launches are not', () => {
    const slices = [
      [800, 180],
      [180, 800],
      [490, 490],
    ];
    const flags = flagsWhen((_, round) => ({ workersCpuMs: slices[round] ?? [] }), TWO, ID);
    expect(flagIn(flags, 'TOPOLOGY')).toBeNull();
  });

  test('is silent on a single process, whatever it has begun itself', () => {
    expect(flagsWhen({ workersCpuMs: [980, 0] })).toEqual([]);
  });
});

describe('SPREAD', () => {
  const sharing = { scale: { by: 'reuse-port' } } as const;
  const flagsOf = (workersCpuMs: number[]) => {
    const targets = STACK.map((target) => ({ ...target, ...sharing }));
    return flagsWhen({ workersCpuMs }, { targets }, 'floor/single/published');
  };

  test('says how processes on one port share the work, which makes nothing invalid', () => {
    const flags = flagsOf([900, 80]);
    const flag = flagIn(flags, 'SPREAD');
    expect(flag).toMatchObject({ launch: 0 });
    expect(flag?.evenness).toBeCloseTo(80 / 900);
    expect(flagIn(flags, 'TOPOLOGY')).toBeNull();
    expect(flags.flatMap(invalidates)).toEqual([]);
  });

  test('is silent where they share it about evenly', () => {
    expect(flagIn(flagsOf([500, 480]), 'SPREAD')).toBeNull();
  });
});

describe('SHARED_CPU', () => {
  const flagOf = (workers: number) => {
    const parts = { machine: makeMachine(), options: { topologies: [workers] } };
    return flagIn(flagsWhen({}, parts, `floor/${workers}/published`), 'SHARED_CPU');
  };

  test('fires where there is no core left for the generator', () => {
    expect(flagOf(4)).toEqual({ code: 'SHARED_CPU', workers: 4, by: 'processes', cores: 4 });
  });

  test('is silent where there is one', () => {
    expect(flagOf(3)).toBeNull();
  });
});

describe('IMPOSSIBLE', () => {
  test('fires where the server used more CPU time than its core has', () => {
    expect(flagsWhen({ cpuUsPerResponse: 10.5 })).toEqual([
      { code: 'IMPOSSIBLE', usedShare: expect.closeTo(1.029), cores: 1 },
    ]);
  });

  test('is silent within what counters may be off by', () => {
    expect(flagsWhen({ cpuUsPerResponse: 10.35 })).toEqual([]);
  });

  test('allows for the edges of short windows', () => {
    const short = { windowS: 0.1, ok: 9800, latenciesMs: [1000 / 98], cpuUsPerResponse: 10.5 };
    expect(flagIn(flagsWhen(short), 'IMPOSSIBLE')).toBeNull();
    expect(flagIn(flagsWhen({ ...short, cpuUsPerResponse: 10.8 }), 'IMPOSSIBLE')).not.toBeNull();
  });

  test('counts all cores of the machine where the server shares them', () => {
    const flag = (cpuUsPerResponse: number) => {
      const flags = flagsWhen({ cpuUsPerResponse }, { options: { topologies: [2] } }, ID);
      return flagIn(flags, 'IMPOSSIBLE');
    };
    const ID = 'floor/2/published';
    expect(flag(20.5)).toBeNull();
    expect(flag(21)).toMatchObject({ cores: 2 });
  });
});
