import { describe, expect, test } from 'vitest';
import { cellOf } from '../../src/plan/plan.ts';
import { flagsOf } from '../../src/validity/flags.ts';
import type { Happened } from '../support/make-record.ts';
import { flagIn, flagsWhen, flagWhen, HEALTHY, recordOf } from './cells.ts';

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
    const close = expect.closeTo(1.05, 3);
    const halves = { kind: 'interval', value: close, low: close, high: close };
    expect(flagOf(1.05, 1.05, 1.05)).toEqual({ code: 'UNSTEADY', halves, capped: 0, slices: 15 });
  });

  test.each([
    { what: 'every launch gets slower', times: [0.96, 0.96, 0.96], fires: true },
    { what: 'they hardly get faster', times: [1.025, 1.025, 1.025], fires: false },
    { what: 'they hardly get slower', times: [0.975, 0.975, 0.975], fires: false },
    { what: 'launches disagree', times: [1.1, 1.0, 1.05], fires: false },
    { what: 'the only launch gets faster', times: [1.04], fires: true },
    { what: 'the only launch hardly gets faster', times: [1.02], fires: false },
  ])('where $what fires: $fires', ({ times, fires }) => {
    expect(flagOf(...times) !== null).toBe(fires);
  });

  test('of launches of one slice goes by the halves of the slice', () => {
    const within = (happened: Happened) => {
      return flagWhen('UNSTEADY', happened, { options: { launches: 3, durationS: 3 } })?.halves;
    };
    // 48,000 in the first half, which was a little long, and 50,000 in the second.
    const halves = within({ halfway: { s: 0.5, ok: 48_000 } });
    expect(halves).toMatchObject({ value: expect.closeTo(1.0417, 4) });
    expect(within({ halfway: { s: 0.49, ok: 48_000 } })).toBeUndefined();
    expect(within({})).toBeUndefined();
  });

  test('fires where a window opened before every connection had been answered', () => {
    const flags = flagsWhen((launch, round) => ({ warmupCapped: launch === 0 && round === 1 }));
    expect(flags).toMatchObject([{ code: 'UNSTEADY', capped: 1, slices: 9 }]);
  });
});

describe('UNSETTLED', () => {
  test.each([
    { what: 'in two of three launches', launches: 3, settled: [0, 2], fires: true },
    { what: 'in two of five', launches: 5, settled: [0, 4], fires: true },
    { what: 'not in the only one', launches: 1, settled: [], fires: true },
    { what: 'in three of five', launches: 5, settled: [0, 1, 4], fires: false },
    { what: 'in both', launches: 2, settled: [0, 1], fires: false },
    { what: 'in the only one', launches: 1, settled: [0], fires: false },
  ])('where the server had settled $what fires: $fires', ({ launches, settled, fires }) => {
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
    expect(flagsWhen({ system: above })).toEqual([
      { code: 'NOISY_HOST', disturbed: 9, slices: 9, worst },
    ]);
    expect(flagsWhen({ system: below })).toEqual([]);
  });

  const busy = { system: { foreignCpuMs: 150 } };
  const redis = { redis: { cpuNs: 150e6, waitNs: 0, bytes: 1e7 } };
  test.each<[string, Happened]>([
    ['a service of the server', { ...busy, services: redis }],
    ['threads that wait for each other', { waitMs: 900 }],
    ['what the run itself used', { system: {}, generatorCpuMs: 990, harnessCpuMs: 200 }],
  ])('does not take %s for a stranger', (_, happened) => {
    expect(flagWhen('NOISY_HOST', happened)).toBeNull();
    expect(flagWhen('NOISY_HOST', busy)).not.toBeNull();
  });

  test('forgives few disturbed slices, and names the worst of more', () => {
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
  const spread = (share: number) => (launch: number) => ({
    ok: Math.round(98_000 * (1 + (launch - 1) * share)),
  });

  test.each([
    { launches: 2, halfShare: 0 },
    { launches: 1, halfShare: null },
  ])('fires on $launches launches', ({ launches, halfShare }) => {
    expect(flagsWhen({}, { options: { launches } })).toEqual([
      { code: 'INCONCLUSIVE', launches, halfShare, asked: 0.05 },
    ]);
  });

  test.each([
    { of: 'a single process', asked: 0.05, topology: 'single' as const, share: 0.021, half: 0.052 },
    { of: 'a cluster', asked: 0.1, topology: 2, share: 0.042, half: 0.104 },
  ])('fires where requests/s of $of is not known to ±$asked', ({ topology, share, ...flag }) => {
    const flagOf = (differing: number) => {
      const options = { topologies: [topology] };
      return flagWhen(
        'INCONCLUSIVE',
        spread(differing),
        { options },
        `floor/${topology}/published`,
      );
    };
    const halfShare = expect.closeTo(flag.half, 3);
    expect(flagOf(share)).toMatchObject({ launches: 3, halfShare, asked: flag.asked });
    expect(flagOf(share * 0.93)).toBeNull();
  });

  describe('where the user asked for a width', () => {
    const TOP = 'top/single/published';
    const until = (share: number) => ({ until: { share, maxTimeNs: 60e9 } });
    /** The flag of a cell where so much was asked, and launches of it and of the others differ by so much. */
    const flagOf = (id: string, asked: number, own: number, others: number) => {
      const story = ({ target }: { target: string }, launch: number) => {
        return { ...HEALTHY, ...spread(id.startsWith(`${target}/`) ? own : others)(launch) };
      };
      const record = recordOf(story, { options: until(asked) });
      return flagIn(flagsOf(record, cellOf(record.plan, id)), 'INCONCLUSIVE');
    };

    test('fires where the ratio to the floor is less well known, not where only the machine differed', () => {
      const flag = { launches: 3, halfShare: expect.closeTo(0.0497, 4), asked: 0.04 };
      expect(flagOf(TOP, 0.04, 0.02, 0)).toMatchObject(flag);
      expect(flagOf(TOP, 0.06, 0.02, 0)).toBeNull();
      expect(flagOf(TOP, 0.01, 0.3, 0.3)).toBeNull();
    });

    test('is silent on the floor, from three launches on', () => {
      expect(flagOf('floor/single/published', 0.01, 0.3, 0)).toBeNull();
      const flag = flagWhen('INCONCLUSIVE', {}, { options: { launches: 2, ...until(0.01) } });
      expect(flag).toMatchObject({ launches: 2, halfShare: null });
    });

    test('fires where there is no ratio, as nothing was answered', () => {
      const flag = flagWhen('INCONCLUSIVE', { ok: 0 }, { options: until(0.9) }, TOP);
      expect(flag).toMatchObject({ launches: 3, halfShare: null });
    });
  });

  test('goes by CPU per request under the cost load', () => {
    const cost = 'floor/single/cost';
    const dearer = (launch: number) => ({ cpuUsPerResponse: 10 - launch });
    expect(flagWhen('INCONCLUSIVE', dearer, {}, cost)).not.toBeNull();
    expect(flagWhen('INCONCLUSIVE', spread(0.2), {}, cost)).toBeNull();
  });
});
