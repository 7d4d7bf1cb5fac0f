import { describe, expect, test } from 'vitest';
import { cellOf } from '../../src/plan/plan.ts';
import type { Warmup } from '../../src/record/record.ts';
import { flagsOf } from '../../src/validity/flags.ts';
import { flagIn, flagsWhen, HEALTHY, recordOf } from './cells.ts';

describe('UNSTEADY', () => {
  /** The flag where the second half of each launch has so many times the throughput of the first. */
  const flagOf = (
    times: number[],
    options = { launches: times.length, durationS: times.length * 5 },
  ) => {
    const flags = flagsWhen(
      (launch, round) => ({ ok: 98_000 * (round < 2 ? 1 : (times[launch] ?? 1)) }),
      { options },
    );
    return flagIn(flags, 'UNSTEADY');
  };

  test('fires where every launch gets faster', () => {
    const close = expect.closeTo(1.05, 3);
    expect(flagOf([1.05, 1.05, 1.05])).toEqual({
      code: 'UNSTEADY',
      halves: { kind: 'interval', value: close, low: close, high: close },
      capped: 0,
      slices: 15,
    });
  });

  test('fires where every launch gets slower', () => {
    expect(flagOf([0.96, 0.96, 0.96])).not.toBeNull();
  });

  test.each([1.025, 0.975])('is silent at %d times as much', (times) => {
    expect(flagOf([times, times, times])).toBeNull();
  });

  test('is silent where launches disagree', () => {
    expect(flagOf([1.1, 1.0, 1.05])).toBeNull();
  });

  test('goes by the figure itself where there is but one launch', () => {
    expect(flagOf([1.04])?.halves).toEqual({ kind: 'point', value: expect.closeTo(1.04) });
    expect(flagOf([1.02])).toBeNull();
  });

  test('of launches of one slice goes by the halves of the slice', () => {
    const within = (halfway: { s: number; ok: number } | undefined) => {
      const flags = flagsWhen(
        { ...(halfway ? { halfway } : {}) },
        {
          options: { launches: 3, durationS: 3 },
        },
      );
      return flagIn(flags, 'UNSTEADY');
    };
    // 48,000 in the first half, which was a little long, and 50,000 in the second.
    expect(within({ s: 0.5, ok: 48_000 })?.halves).toMatchObject({
      value: expect.closeTo(1.0417, 4),
    });
    expect(within({ s: 0.49, ok: 48_000 })).toBeNull();
    expect(within(undefined)).toBeNull();
  });

  test('fires where a window opened before every connection had been answered', () => {
    const flags = flagsWhen((launch, round) => ({ warmupCapped: launch === 0 && round === 1 }));
    expect(flags).toMatchObject([{ code: 'UNSTEADY', capped: 1, slices: 9 }]);
  });
});

describe('UNSETTLED', () => {
  /** The flag where the server had settled in these launches alone, of so many. */
  const flagOf = (launches: number, ...settled: number[]) => {
    const flags = flagsWhen((launch) => ({ hasSettled: settled.includes(launch) }), {
      options: { launches, durationS: 3 * launches },
    });
    return flagIn(flags, 'UNSETTLED');
  };

  test('fires where the server had settled in fewer than three launches, and not in all', () => {
    expect(flagOf(3, 0, 2)).toEqual({ code: 'UNSETTLED', settled: 2, launches: 3 });
    expect(flagOf(5, 0, 4)).toEqual({ code: 'UNSETTLED', settled: 2, launches: 5 });
    expect(flagOf(1)).toEqual({ code: 'UNSETTLED', settled: 0, launches: 1 });
  });

  test('is silent where three are left without those in which it had not', () => {
    expect(flagOf(5, 0, 1, 4)).toBeNull();
  });

  test('is silent where it had in all, however few', () => {
    expect(flagOf(2, 0, 1)).toBeNull();
    expect(flagOf(1, 0)).toBeNull();
  });

  test('goes by the warm-ups where a slice has no blocks before it', () => {
    const warmup = { server: 'floor/single', launch: 1, batches: [], ns: 1e9 };
    const flagAfter = (outcome: Warmup['outcome']) => {
      return flagIn(flagsWhen({}, { warmups: [{ ...warmup, outcome }] }), 'UNSETTLED');
    };
    expect(flagAfter('capped')).toEqual({ code: 'UNSETTLED', settled: 2, launches: 3 });
    expect(flagAfter('settled')).toBeNull();
  });
});

describe('NOISY_HOST', () => {
  const KINDS = [
    { kind: 'steal', below: { stealMs: 38 }, above: { stealMs: 42 }, share: 0.021 },
    { kind: 'throttled', below: { throttledMs: 19 }, above: { throttledMs: 21 }, share: 0.021 },
    { kind: 'foreign', below: { foreignCpuMs: 95 }, above: { foreignCpuMs: 105 }, share: 0.105 },
  ];

  test.each(KINDS)(
    'fires on $kind above its limit, and not below',
    ({ below, above, ...worst }) => {
      expect(flagsWhen({ system: above })).toEqual([
        {
          code: 'NOISY_HOST',
          disturbed: 9,
          slices: 9,
          worst: { ...worst, share: expect.closeTo(worst.share) },
        },
      ]);
      expect(flagsWhen({ system: below })).toEqual([]);
    },
  );

  test('does not take a service of the server for a stranger', () => {
    const used = (cpuMs: number) => ({ redis: { cpuNs: cpuMs * 1e6, waitNs: 0, bytes: 1e7 } });
    const busy = { system: { foreignCpuMs: 150 } };
    expect(flagIn(flagsWhen(busy), 'NOISY_HOST')).not.toBeNull();
    expect(flagIn(flagsWhen({ ...busy, services: used(150) }), 'NOISY_HOST')).toBeNull();
  });

  test('does not take threads that wait for each other for a disturbance', () => {
    expect(flagsWhen({ waitMs: 900 })).toEqual([]);
  });

  test('does not take what the run itself used for that of strangers', () => {
    expect(flagsWhen({ system: {}, generatorCpuMs: 990, harnessCpuMs: 200 })).toEqual([]);
  });

  test('forgives few disturbed slices, and names the worst of more', () => {
    const flagOf = (noisy: number) =>
      flagIn(
        flagsWhen((launch, round) => {
          const slice = launch * 3 + round;
          return slice < noisy ? { system: { stealMs: 60 + 20 * slice, foreignCpuMs: 150 } } : {};
        }),
        'NOISY_HOST',
      );
    expect(flagOf(2)).toBeNull();
    expect(flagOf(3)).toEqual({
      code: 'NOISY_HOST',
      disturbed: 3,
      slices: 9,
      worst: { kind: 'steal', share: expect.closeTo(0.05) },
    });
  });
});

describe('INCONCLUSIVE', () => {
  test('fires on fewer than three launches', () => {
    expect(flagsWhen({}, { options: { launches: 2 } })).toEqual([
      { code: 'INCONCLUSIVE', launches: 2, halfShare: 0, asked: 0.05 },
    ]);
    expect(flagsWhen({}, { options: { launches: 1 } })).toEqual([
      { code: 'INCONCLUSIVE', launches: 1, halfShare: null, asked: 0.05 },
    ]);
  });

  /** Launches that differ by this share from their mean: ± t(0.975, 2) / √3 times it, 2.484. */
  const spread = (share: number) => (launch: number) => ({
    ok: Math.round(98_000 * (1 + (launch - 1) * share)),
  });

  test('fires where requests/s of a single process is not known to ± 5 %', () => {
    const flag = { launches: 3, halfShare: expect.closeTo(0.052, 3), asked: 0.05 };
    expect(flagIn(flagsWhen(spread(0.021)), 'INCONCLUSIVE')).toMatchObject(flag);
    expect(flagIn(flagsWhen(spread(0.0195)), 'INCONCLUSIVE')).toBeNull();
  });

  test('fires where requests/s of a cluster is not known to ± 10 %', () => {
    const flag = { launches: 3, halfShare: expect.closeTo(0.104, 3), asked: 0.1 };
    const flagOf = (share: number) => {
      const flags = flagsWhen(spread(share), { options: { topologies: [2] } }, 'floor/2/published');
      return flagIn(flags, 'INCONCLUSIVE');
    };
    expect(flagOf(0.042)).toMatchObject(flag);
    expect(flagOf(0.039)).toBeNull();
  });

  describe('where the user asked for a width', () => {
    /** The flag of a cell where so much was asked, and launches of the others differ by so much. */
    const flagOf = (id: string, asked: number, others: number, own = others) => {
      const options = { until: { share: asked, maxTimeNs: 60e9 } };
      const record = recordOf(
        ({ target }, launch) => {
          const differing = id.startsWith(`${target}/`) ? own : others;
          return { ...HEALTHY, ...spread(differing)(launch) };
        },
        { options },
      );
      return flagIn(flagsOf(record, cellOf(record.plan, id)), 'INCONCLUSIVE');
    };
    const top = 'top/single/published';

    test('fires where the ratio to the floor is less well known', () => {
      const flag = { launches: 3, halfShare: expect.closeTo(0.0497, 4), asked: 0.04 };
      expect(flagOf(top, 0.04, 0, 0.02)).toMatchObject(flag);
      expect(flagOf(top, 0.06, 0, 0.02)).toBeNull();
    });

    test('is silent where only the machine differed from launch to launch', () => {
      expect(flagOf(top, 0.01, 0.3)).toBeNull();
    });

    test('is silent on the floor, from three launches on', () => {
      expect(flagOf('floor/single/published', 0.01, 0, 0.3)).toBeNull();
      const until = { share: 0.01, maxTimeNs: 60e9 };
      const flags = flagsWhen({}, { options: { launches: 2, until } });
      expect(flagIn(flags, 'INCONCLUSIVE')).toMatchObject({ launches: 2, halfShare: null });
    });

    test('fires where there is no ratio, as nothing was answered', () => {
      const options = { until: { share: 0.9, maxTimeNs: 60e9 } };
      const flags = flagsWhen({ ok: 0 }, { options }, top);
      expect(flagIn(flags, 'INCONCLUSIVE')).toMatchObject({ launches: 3, halfShare: null });
    });
  });

  test('goes by CPU per request under the cost load', () => {
    const cost = 'floor/single/cost';
    const dearer = (launch: number) => ({ cpuUsPerResponse: 10 - launch });
    expect(flagIn(flagsWhen(dearer, {}, cost), 'INCONCLUSIVE')).not.toBeNull();
    expect(flagIn(flagsWhen(spread(0.2), {}, cost), 'INCONCLUSIVE')).toBeNull();
  });
});
