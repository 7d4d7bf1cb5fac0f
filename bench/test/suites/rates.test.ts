import { describe, expect, test } from 'vitest';
import { loadSchema, type PilotResult } from '../../src/plan/loads.ts';
import type { Rate } from '../../src/request/option-values.ts';
import { ratesOf } from '../../src/suites/rates.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { makeOptions } from '../support/make-record.ts';
import { loadsOf, placedBy, topologiesOf } from './loads-of.ts';

const SUITE = ratesOf('frameworks');
const answering = (perS: number): PilotResult => {
  return { kind: 'capacity', server: 'express/single', perS };
};
const perS = (amount: number): Rate => ({ kind: 'per second', perS: amount });
const shareOf = (share: number): Rate => ({ kind: 'share', share });

describe('open loads', () => {
  test('send at the rate that was asked for, with so many under way at the most', () => {
    const loads = loadsOf(SUITE, { rates: [perS(500)], driver: 'k6', connections: 300 });
    const rate = { id: 'rate-500', ratePerS: 500, driver: 'k6', connections: 300 };
    const timing = { method: 'sliced', sliceNs: 1e9, everyNthRound: 1, timeoutNs: 10e9 };
    const facts = { headline: 'cpu', saturates: false, hosts: 0, everyNthLaunch: 1 };
    const load = { kind: 'open', ...facts, ...rate, ...timing };
    expect(loads).toEqual([load]);
    expect(loadSchema.parse(load)).toEqual(load);
  });

  test.each<[Rate[], number, number[]]>([
    [[perS(500), perS(90), shareOf(0.5), perS(1000)], 1000, [90, 500, 1000]],
    [[shareOf(0.1), shareOf(0.7)], 12_345, [1230, 8640]],
    [[shareOf(0.5)], 3, [1.5]],
  ])('of %j, where the slowest answers %d a second, are %j, each once', (rates, most, expected) => {
    const loads = loadsOf(SUITE, { rates }, answering(most));
    expect(loads).toMatchObject(expected.map((ratePerS) => ({ ratePerS, id: `rate-${ratePerS}` })));
  });

  test('are all there is, of the targets of every suite, in all topologies', () => {
    const topologies = [2, 'single', 'fork', 'cluster:2'] as const;
    const placed = placedBy(ratesOf('cluster'), { rates: [perS(5)], topologies: [...topologies] });
    expect(placed).toHaveLength(1);
    expect(topologiesOf('rate-5', placed)).toEqual(['2', 'single', 'fork', 'cluster:2']);
  });

  test('may be unbroken', () => {
    const unbroken = { contiguous: true, durationS: 300, sliceS: 300, launches: 1 };
    const loads = loadsOf(SUITE, { ...unbroken, rates: [perS(500)] });
    expect(loads).toMatchObject([{ method: 'contiguous', sliceNs: 300e9 }]);
  });

  test.each<PilotResult>([{ kind: 'none' }, { kind: 'service', server: 'fib', serviceNs: 1e7 }])(
    'can be no shares without a capacity',
    (pilot) => {
      expect(() => loadsOf(SUITE, { rates: [shareOf(0.7)] }, pilot)).toThrow('a capacity');
    },
  );
});

test('the pilot asks for the limit where a share of it is asked for, among others too', () => {
  const pilotOf = (rates: Rate[]) => SUITE.pilot(makeOptions({ rates }))?.load ?? null;
  expect(pilotOf([perS(5), shareOf(0.5)])).toMatchObject({
    ...{ id: 'capacity', label: 'at their limit', saturates: true, waitForAll: true },
    ...{ connections: 100, pipelining: 1, method: 'sliced' },
  });
  expect(pilotOf([perS(5)])).toBeNull();
});

test('who is measured are the targets of the suite, without probes', () => {
  const asked = { given: {}, packages: FIXTURES, options: makeOptions() };
  const { targets, probes } = SUITE.subjects(asked);
  expect(new Set(targets.map(({ suite }) => suite))).toEqual(new Set(['frameworks']));
  expect(probes).toEqual([]);
});
