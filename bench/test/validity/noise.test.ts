import { describe, expect, test } from 'vitest';
import { cellOf } from '../../src/plan/plan.ts';
import { flagsOf } from '../../src/validity/flags.ts';
import { near } from '../support/estimates.ts';
import type { Happened } from '../support/make-record.ts';
import { flagIn, flagsWhen, flagWhen, HEALTHY, onceIn, recordOf } from './cells.ts';

describe('UNSTEADY', () => {
  /** The flag where the second half of each launch has so many times the throughput of the first. */
  const flagOf = (...times: number[]) => {
    const options = { launches: times.length, durationS: times.length * 5 };
    const story = (launch: number, round: number) => {
      return { ok: 98_000 * (round < 2 ? 1 : (times[launch] ?? 1)) };
    };
    return flagWhen('UNSTEADY', story, { options });
  };

  test('fires where every launch gets faster, and by how much', () => {
    const halves = near(1.05, 3);
    expect(flagOf(1.05, 1.05, 1.05)).toEqual({ code: 'UNSTEADY', halves, capped: 0, slices: 15 });
  });

  test.each<[string, times: number[], fires: boolean]>([
    ['every launch gets slower', [0.96, 0.96, 0.96], true],
    ['they hardly get faster', [1.025, 1.025, 1.025], false],
    ['they hardly get slower', [0.975, 0.975, 0.975], false],
    ['launches disagree', [1.1, 1.0, 1.05], false],
    ['the only launch gets faster', [1.04], true],
    ['the only launch hardly gets faster', [1.02], false],
  ])('where %s, %j, fires: %s', (_, times, fires) => {
    expect(flagOf(...times) !== null).toBe(fires);
  });

  test.each<[Happened, value: number | null]>([
    // 48,000 in the first half, which was a little long, and 50,000 in the second.
    [{ halfway: { s: 0.5, ok: 48_000 } }, 1.0417],
    [{ halfway: { s: 0.49, ok: 48_000 } }, null],
    [{}, null],
  ])('of launches of one slice goes by the halves of the slice: %o', (happened, value) => {
    const found = flagWhen('UNSTEADY', happened, { options: { launches: 3, durationS: 3 } });
    expect(found?.halves ?? null).toEqual(
      value && expect.objectContaining({ value: expect.closeTo(value, 4) }),
    );
  });

  test('fires where a window opened before every connection had been answered', () => {
    const flags = flagsWhen(onceIn({ warmupCapped: true }));
    expect(flags).toMatchObject([{ code: 'UNSTEADY', capped: 1, slices: 9 }]);
  });
});

describe('UNSETTLED', () => {
  test.each<[string, launches: number, settled: number[], fires: boolean]>([
    ['in two of three launches', 3, [0, 2], true],
    ['in two of five', 5, [0, 4], true],
    ['not in the only one', 1, [], true],
    ['in three of five', 5, [0, 1, 4], false],
    ['in both', 2, [0, 1], false],
    ['in the only one', 1, [0], false],
  ])('where the server had settled %s', (_, launches, settled, fires) => {
    const options = { launches, durationS: 3 * launches };
    const story = (launch: number) => ({ hasSettled: settled.includes(launch) });
    const flag = { code: 'UNSETTLED', settled: settled.length, launches };
    expect(flagWhen('UNSETTLED', story, { options })).toEqual(fires ? flag : null);
  });

  test('goes by the warm-ups where a slice has no blocks before it', () => {
    const flagAfter = (outcome: 'capped' | 'settled') => {
      const warmup = { server: 'floor/single', launch: 1, batches: [], ns: 1e9, outcome };
      return flagWhen('UNSETTLED', {}, { warmups: [warmup] });
    };
    expect(flagAfter('capped')).toEqual({ code: 'UNSETTLED', settled: 2, launches: 3 });
    expect(flagAfter('settled')).toBeNull();
  });
});

describe('NOISY_HOST', () => {
  test.each([
    { kind: 'steal', below: { stealMs: 38 }, above: { stealMs: 42 }, share: 0.021 },
    { kind: 'throttled', below: { throttledMs: 19 }, above: { throttledMs: 21 }, share: 0.021 },
    { kind: 'foreign', below: { foreignCpuMs: 95 }, above: { foreignCpuMs: 105 }, share: 0.105 },
  ])('fires on $kind above its limit, and not below', ({ below, above, kind, share }) => {
    const worst = { kind, share: expect.closeTo(share) };
    const flag = { code: 'NOISY_HOST', disturbed: 9, slices: 9, worst };
    expect(flagsWhen({ system: above })).toEqual([flag]);
    expect(flagsWhen({ system: below })).toEqual([]);
  });

  const busy = { system: { foreignCpuMs: 150 } };
  const redis = { redis: { cpuNs: 150e6, waitNs: 0, bytes: 1e7 } };
  test.each<[string, Happened]>([
    ['a service of the server', { ...busy, services: redis }],
    ['threads that wait for each other', { waitMs: 900 }],
    ['what the run itself used', { system: {}, generatorCpuMs: 990, harnessCpuMs: 200 }],
  ])('does not count %s as another program', (_, happened) => {
    expect(flagWhen('NOISY_HOST', happened)).toBeNull();
    expect(flagWhen('NOISY_HOST', busy)).not.toBeNull();
  });

  test('tolerates few disturbed slices, and names the worst of more', () => {
    const flagOf = (noisy: number) => {
      return flagWhen('NOISY_HOST', (launch, round) => {
        const slice = launch * 3 + round;
        return slice < noisy ? { system: { stealMs: 60 + 20 * slice, foreignCpuMs: 150 } } : {};
      });
    };
    expect(flagOf(2)).toBeNull();
    const worst = { kind: 'steal', share: expect.closeTo(0.05) };
    expect(flagOf(3)).toEqual({ code: 'NOISY_HOST', disturbed: 3, slices: 9, worst });
  });
});

describe('INCONCLUSIVE', () => {
  /** Launches that differ by this share from their mean: ± t(0.975, 2) / √3 times it, 2.484. */
  const spread = (share: number) => (launch: number) => {
    return { ok: Math.round(98_000 * (1 + (launch - 1) * share)) };
  };
  const FLOOR = 'floor/single/published';
  const TOP = 'top/single/published';
  const until = (share: number) => ({ until: { share, maxTimeNs: 60e9 } });

  test.each([
    { launches: 2, halfShare: 0 },
    { launches: 1, halfShare: null },
  ])('fires on $launches launches', ({ launches, halfShare }) => {
    const flag = { code: 'INCONCLUSIVE', launches, halfShare, asked: 0.05 };
    expect(flagsWhen({}, { options: { launches } })).toEqual([flag]);
  });

  test.each([
    { of: 'a single process', asked: 0.05, topology: 'single' as const, share: 0.021, half: 0.052 },
    { of: 'a cluster', asked: 0.1, topology: 2, share: 0.042, half: 0.104 },
  ])('fires where requests/s of $of is not known to ±$asked', ({ topology, share, ...flag }) => {
    const flagOf = (differing: number) => {
      const parts = { options: { topologies: [topology] } };
      return flagWhen('INCONCLUSIVE', spread(differing), parts, `floor/${topology}/published`);
    };
    const halfShare = expect.closeTo(flag.half, 3);
    expect(flagOf(share)).toMatchObject({ launches: 3, halfShare, asked: flag.asked });
    expect(flagOf(share * 0.93)).toBeNull();
  });

  test.each<[string, id: string, asked: number, own: number, others: number, half: number | null]>([
    ['the ratio to the floor is less well known', TOP, 0.04, 0.02, 0, 0.0497],
    ['it is known well enough', TOP, 0.06, 0.02, 0, null],
    ['only the machine differed', TOP, 0.01, 0.3, 0.3, null],
    ['it is the floor itself', FLOOR, 0.01, 0.3, 0, null],
  ])('with --until where %s', (_, id, asked, own, others, half) => {
    const story = ({ target }: { target: string }, launch: number) => {
      return { ...HEALTHY, ...spread(id.startsWith(`${target}/`) ? own : others)(launch) };
    };
    const record = recordOf(story, { options: until(asked) });
    const found = flagIn(flagsOf(record, cellOf(record.plan, id)), 'INCONCLUSIVE');
    const halfShare = half && expect.closeTo(half, 4);
    expect(found).toEqual(half && { code: 'INCONCLUSIVE', launches: 3, halfShare, asked });
  });

  test('with --until fires on two launches, and where nothing was answered', () => {
    const two = flagWhen('INCONCLUSIVE', {}, { options: { launches: 2, ...until(0.01) } });
    expect(two).toMatchObject({ launches: 2, halfShare: null });
    const none = flagWhen('INCONCLUSIVE', { ok: 0 }, { options: until(0.9) }, TOP);
    expect(none).toMatchObject({ launches: 3, halfShare: null });
  });

  test('goes by CPU per request under the cost load', () => {
    const dearer = (launch: number) => ({ cpuUsPerResponse: 10 - launch });
    expect(flagWhen('INCONCLUSIVE', dearer, {}, 'floor/single/cost')).not.toBeNull();
    expect(flagWhen('INCONCLUSIVE', spread(0.2), {}, 'floor/single/cost')).toBeNull();
  });
});

test.each([
  ['on a single busy slice', onceIn({ isQuiet: false }), { busy: 1, slices: 9 }],
  ['not where all were quiet', { isQuiet: true }, null],
  ['not where nobody waited for that', { isQuiet: null }, null],
])('NOT_QUIET fires %s', (_, happened, counts) => {
  expect(flagWhen('NOT_QUIET', happened)).toEqual(counts && { code: 'NOT_QUIET', ...counts });
});

// In each of 2 + 2 s, of which the server was charged 800 and 1,600 ms, between its turns too.
const blocks = [
  { cpuNs: 5e8, answers: 49_000, chargedNs: 8e8, ns: 2e9 },
  { cpuNs: 5e8, answers: 49_000, chargedNs: 16e8, ns: 2e9 },
];

test.each<[idleMsPerS: number, Happened, share: number | undefined]>([
  // Of a server that uses 980 ms in each slice of 1 s.
  [196, {}, 0.2],
  [98.1, {}, 0.1],
  [97.9, {}, undefined],
  [0, {}, undefined],
  [60.001, { blocks }, 0.1],
  [59.999, { blocks }, undefined],
])('IDLE_USE, with %d ms of idle use in a second of %o: %s', (idleMsPerS, happened, share) => {
  const found = flagWhen('IDLE_USE', { ...happened, idleNsPerS: idleMsPerS * 1e6 })?.share;
  expect(found).toEqual(share && expect.closeTo(share, 3));
});
