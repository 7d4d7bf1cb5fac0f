import { describe, expect, test } from 'vitest';
import { publishedSentence } from '../../../src/report/sections/published.ts';
import type { PublishedComparison } from '../../../src/summary/comparisons.ts';
import { STACK } from '../../support/make-record.ts';

const [floor, , top] = STACK;
if (!floor || !top) throw new Error('there are three targets');

describe('the sentence of published ratios', () => {
  const row = (published: number, measured: number): PublishedComparison => ({
    ...{ target: top, topology: 'single', base: { target: floor, topology: 'single' } },
    ...{ published, measured: { kind: 'point', value: measured } },
  });

  test('counts those more than 10 % away, on either side', () => {
    const rows = [row(1, 1.12), row(1, 1 / 1.12), row(2, 2.1), row(0.5, 0.5)];
    expect(publishedSentence(rows)).toMatch(/^Of 4 published ratios, 2 are more than 10 % away/);
  });

  test('speaks of a single one in the singular', () => {
    const where = 'what was measured here.';
    expect(publishedSentence([row(1, 2)])).toBe(
      `The published ratio is more than 10 % away from ${where}`,
    );
    expect(publishedSentence([row(1, 1)])).toBe(`The published ratio is within 10 % of ${where}`);
    expect(publishedSentence([row(1, 2), row(1, 1)])).toBe(
      `Of 2 published ratios, 1 is more than 10 % away from ${where}`,
    );
  });

  test('says that all are within 10 % where they are', () => {
    const sentence = publishedSentence([row(1, 1.09), row(5, 4.6)]);
    expect(sentence).toMatch(/^Every published ratio is within 10 %/);
  });
});
