import fc from 'fast-check';
import { expect } from 'vitest';
import { parseKernel } from '../../src/system/main-thread.ts';
import { TICK_NS } from '../../src/system/usage.ts';
import { character, counts, garbled, property, unless } from '../support/random.ts';

const stats = fc
  .tuple(fc.string({ unit: character, maxLength: 15 }), fc.array(counts, { minLength: 48 }))
  .map(([name, rest]) => ({ rest, stat: `7 (${name}) R ${rest.join(' ')}\n` }));

property("a thread's time in the kernel is its 15th field", stats, ({ rest, stat }) => {
  expect(parseKernel(stat)).toBe((rest[11] ?? 0) * TICK_NS);
});

property('any other text is a time or an error', garbled(stats.map(({ stat }) => stat)), (text) => {
  expect(unless(Error, () => parseKernel(text)) ?? 0).toBeGreaterThanOrEqual(0);
});
