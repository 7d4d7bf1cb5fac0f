import { expect, test } from 'vitest';
import { parseThrottling } from '../../src/system/throttling.ts';

test('version 1 tells its time in ns, version 2 in µs', () => {
  const v1 = 'nr_periods 21\nnr_throttled 20\nthrottled_time 1470791354\nnr_bursts 0\n';
  const v2 =
    'usage_usec 99\nnr_periods 21\nnr_throttled 20\nthrottled_usec 1470791\nburst_usec 7\n';
  expect(parseThrottling(v1)).toEqual({
    periods: 21,
    throttledPeriods: 20,
    throttledNs: 1_470_791_354,
  });
  expect(parseThrottling(v2)).toEqual({
    periods: 21,
    throttledPeriods: 20,
    throttledNs: 1_470_791_000,
  });
});

test('a group that nothing has run in has no periods', () => {
  expect(parseThrottling('usage_usec 0\n')).toEqual({
    periods: 0,
    throttledPeriods: 0,
    throttledNs: 0,
  });
});
