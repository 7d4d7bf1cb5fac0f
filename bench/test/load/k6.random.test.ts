import fc from 'fast-check';
import { expect } from 'vitest';
import { parseTold } from '../../src/load/k6.ts';
import { garbled, mutated, property, unless } from '../support/random.ts';

const counts = {
  ...{ sent: 9, ok: 5, wrongStatus: 1, wrongBody: 1, timedOut: 1, disconnected: 1, late: 2 },
  ...{ iterations: 9, dropped_iterations: 3, data_received: 1234 },
};
const trend = { max: 12.5, quantiles: [1, 2.5, 7] };
const TOLD = {
  ...{ all: counts, window: counts, answers: [{ ok: 5, wrongStatus: 1, wrongBody: 1 }] },
  ...{ latency: trend, response: trend, lateness: trend },
};
const texts = fc.oneof(
  mutated(TOLD).map((told) => JSON.stringify(told)),
  garbled(fc.constant(JSON.stringify(TOLD))),
);

property('what k6 printed is counts and times, or an error that shows it', texts, (text) => {
  const told = unless(Error, () => parseTold(text));
  if (told === undefined) return;
  for (const count of [told.all, told.window].flatMap((each) => Object.values(each))) {
    expect(count).toBeGreaterThanOrEqual(0);
  }
});
