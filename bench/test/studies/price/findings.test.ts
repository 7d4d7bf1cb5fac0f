import { describe, expect, test } from 'vitest';
import {
  findPrices,
  type PriceFinding,
  priceVerdict,
} from '../../../src/studies/price/findings.ts';
import type { PriceName } from '../../../src/studies/price/plan.ts';
import type { PriceRecord } from '../../../src/studies/price/record.ts';
import { interval, makeMachine } from '../../support/make-record.ts';
import { makePriceRecord } from './make-price-record.ts';

/** What was found of this. @throws when it is left out. */
function findingOf(record: PriceRecord, name: PriceName) {
  const finding = findPrices(record).find((each) => each.name === name);
  if (finding?.state !== 'measured') throw new Error(`${name} was not measured`);
  return finding;
}

describe('a price', () => {
  // Costs that no two ratios have in common; the machine is slower from launch to launch.
  const COSTS = { standard: 10, sampled: 10.1, alone: 9, unpinned: 8, unverified: 12.5 };
  const record = makePriceRecord((variant, launch) => COSTS[variant] * (1 + launch));

  test.each([
    { name: 'sampling', ratio: 1.01 },
    { name: 'verification', ratio: 0.8 },
    { name: 'neighbours', ratio: 10 / 9 },
    { name: 'pinning', ratio: 1.25 },
  ] as const)('of $name is with over without, within rounds', ({ name, ratio }) => {
    const found = findingOf(record, name).ratio;
    if (found.kind !== 'interval') throw new Error(`${found.kind} is no interval`);
    for (const value of [found.value, found.low, found.high]) expect(value).toBeCloseTo(ratio);
  });

  test('comes from the rounds that have both', () => {
    const partial = makePriceRecord((variant, launch, round) => {
      if (launch === 1 && round === 0) return variant === 'standard' ? null : 1;
      if (launch === 2) return variant === 'sampled' ? null : 1;
      return COSTS[variant];
    });
    const { ratio } = findingOf(partial, 'sampling');
    expect(ratio).toMatchObject({ kind: 'interval', value: expect.closeTo(1.01) });
  });

  test('comes from the slices that have answers', () => {
    const stuck = {
      ...record,
      slices: record.slices.map((slice) => {
        return slice.round === 0 ? slice : { ...slice, cpuNs: 0, responses: 0 };
      }),
    };
    const { ratio } = findingOf(stuck, 'sampling');
    expect(ratio).toMatchObject({ kind: 'interval', value: expect.closeTo(1.01) });
  });

  test('is not known from one launch', () => {
    const once = makePriceRecord(() => 10, { launches: 1 });
    expect(findingOf(once, 'sampling')).toMatchObject({
      ratio: { kind: 'point', value: 1 },
      verdict: "can't tell",
    });
  });

  test('is left out where the machine has no variant for it', () => {
    const machine = makeMachine({ canPin: false });
    const found = findPrices(makePriceRecord(() => 10, { machine }));
    const leftOut = ({ state }: PriceFinding) => state === 'left out';
    expect(found.filter(leftOut)).toEqual([{ state: 'left out', name: 'pinning' }]);
    expect(found).toHaveLength(4);
  });
});

describe('a price is', () => {
  test.each([
    { ratio: interval(1, 0.99, 1.0099), verdict: 'below' },
    { ratio: interval(0.9, 0.85, 0.95), verdict: 'below' },
    { ratio: interval(1.005, 0.99, 1.02), verdict: "can't tell" },
    { ratio: interval(1.02, 1.005, 1.035), verdict: "can't tell" },
    { ratio: interval(1.02, 1.0101, 1.03), verdict: 'above' },
    { ratio: { kind: 'point', value: 1.5 }, verdict: "can't tell" },
    { ratio: { kind: 'none' }, verdict: "can't tell" },
  ] as const)('$verdict for $ratio', ({ ratio, verdict }) => {
    expect(priceVerdict(ratio)).toBe(verdict);
  });
});
