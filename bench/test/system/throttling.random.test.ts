import fc from 'fast-check';
import { expect } from 'vitest';
import { parseThrottling } from '../../src/system/throttling.ts';
import { counts, garbled, property, textOf, unless } from '../support/random.ts';

const told = fc.record({ periods: counts, throttledPeriods: counts, us: counts });
const statOf = ({
  periods,
  throttledPeriods,
  us,
}: Record<'periods' | 'throttledPeriods' | 'us', number>) =>
  `usage_usec 9\nnr_periods ${periods}\nnr_throttled ${throttledPeriods}\nthrottled_usec ${us}\n`;

property('what held a group back is read as it is written', told, (group) => {
  const { periods, throttledPeriods, us } = group;
  const right = { periods, throttledPeriods, throttledNs: us * 1000 };
  expect(parseThrottling(statOf(group))).toEqual(right);
  const inV1 = statOf(group).replace('throttled_usec', 'throttled_time');
  expect(parseThrottling(inV1)).toEqual({ ...right, throttledNs: us });
});

const texts = fc.oneof(
  textOf('nr_periods ', 'nr_throttled ', 'throttled_time ', '\n', '4', '-', '9'.repeat(30)),
  garbled(told.map(statOf)),
);
property('of any text it is amounts or an error', texts, (text) => {
  for (const amount of Object.values(unless(Error, () => parseThrottling(text)) ?? {})) {
    expect(amount).toBeGreaterThanOrEqual(0);
    expect(amount).toBeLessThan(Number.POSITIVE_INFINITY);
  }
});
