import { expect, test } from 'vitest';
import { parseThrottling } from '../../src/system/throttling.ts';

test('a group that nothing has run in has no periods', () => {
  const none = { periods: 0, throttledPeriods: 0, throttledNs: 0 };
  expect(parseThrottling('usage_usec 0\n')).toEqual(none);
});
