import { describe, expect, test } from 'vitest';
import { loadSchema, type PilotResult } from '../../src/plan/loads.ts';
import type { Rate } from '../../src/request/option-values.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { ratesOf } from '../../src/suites/rates.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { makeOptions } from '../support/make-record.ts';
import { idsOf, loadsOf, placedBy, topologiesOf } from './loads-of.ts';

const SUITE = ratesOf('frameworks');
const NONE: PilotResult = { kind: 'none' };
const answering = (perS: number): PilotResult => ({
  kind: 'capacity',
  server: 'express/single',
  perS,
});
const serving = (ms: number): PilotResult => {
  return { kind: 'service', server: 'fib/single', serviceNs: ms * 1e6 };
};
const perS = (amount: number): Rate => ({ kind: 'per second', perS: amount });
const shareOf = (share: number): Rate => ({ kind: 'share', share });

describe('open loads', () => {
  test('send at the rate that was asked for, with so many under way at the most', () => {
    const loads = loadsOf(SUITE, { rates: [perS(500)], driver: 'k6', connections: 300 });
    const rate = { id: 'rate-500', ratePerS: 500, driver: 'k6', connections: 300 };
    const timing = { method: 'sliced', sliceNs: 1e9, every: 1, timeoutNs: 10e9 };
    const load = { kind: 'open', headline: 'cpu', saturates: false, ...rate, ...timing };
    expect(loads).toEqual([load]);
    expect(loadSchema.parse(load)).toEqual(load);
  });

  test('come from the lowest rate to the highest, each once', () => {
    const rates = [perS(500), perS(90), shareOf(0.5), perS(1000)];
    const ids = idsOf(loadsOf(SUITE, { rates }, answering(1000)));
    expect(ids).toEqual(['rate-90', 'rate-500', 'rate-1000']);
  });

  test('are shares of what the slowest server answers, in three digits', () => {
    const rates = [shareOf(0.1), shareOf(0.7)];
    const loads = loadsOf(SUITE, { rates }, answering(12_345));
    expect(loads).toMatchObject([{ ratePerS: 1230 }, { ratePerS: 8640 }]);
    const few = loadsOf(SUITE, { rates: [shareOf(0.5)] }, answering(3));
    expect(few).toMatchObject([{ ratePerS: 1.5 }]);
  });

  test('are all there is, of the targets of every suite, in all topologies', () => {
    const placed = placedBy(ratesOf('cluster'), {
      rates: [perS(5)],
      topologies: [2, 'single', 'fork', 'cluster:2'],
    });
    expect(placed).toHaveLength(1);
    expect(topologiesOf('rate-5', placed)).toEqual(['2', 'single', 'fork', 'cluster:2']);
  });

  test('may be unbroken', () => {
    const unbroken = { contiguous: true, durationS: 300, sliceS: 300, launches: 1 };
    const loads = loadsOf(SUITE, { ...unbroken, rates: [perS(500)] });
    expect(loads).toMatchObject([{ method: 'contiguous', sliceNs: 300e9 }]);
  });

  test.each([NONE, serving(10)])('can be no shares without a capacity', (basis) => {
    expect(() => loadsOf(SUITE, { rates: [shareOf(0.7)] }, basis)).toThrow('a capacity');
  });
});

describe('the load of the pilot', () => {
  const pilotOf = (rates: Rate[]) => SUITE.pilot(makeOptions({ rates }))?.load ?? null;

  test('is the server at its limit where a share of that is asked for, among others too', () => {
    const limit = { id: 'capacity', words: 'at their limit', saturates: true, waitForAll: true };
    const load = { ...limit, connections: 100, pipelining: 1, method: 'sliced' };
    expect(pilotOf([perS(5), shareOf(0.5)])).toMatchObject(load);
  });

  test('is none where nothing is derived from it', () => {
    expect(pilotOf([perS(5)])).toBeNull();
  });
});

test('rounds are as many slices as come closest to the time, of whatever targets', () => {
  const parts: Partial<RunOptions> = { rates: [perS(5)], durationS: 6, launches: 2, sliceS: 1 };
  for (const suite of ['frameworks', 'cluster'] as const) {
    expect(ratesOf(suite).rounds(makeOptions(parts))).toBe(3);
  }
});

test('one rate is measured for longer than each of several, in longer slices', () => {
  const one = SUITE.defaults({ rate: [shareOf(0.7)] });
  const several = SUITE.defaults({ rate: [shareOf(0.1), shareOf(0.7)] });
  expect(one.durationS).toBeGreaterThan(several.durationS);
  expect(one.sliceS).toBeGreaterThan(several.sliceS);
});

test('who is measured are the targets of the suite, without probes', () => {
  const asked = { given: {}, packages: FIXTURES, options: makeOptions() };
  const { targets, probes } = SUITE.subjects(asked);
  for (const { suite } of targets) expect(suite).toBe('frameworks');
  expect(probes).toEqual([]);
});
