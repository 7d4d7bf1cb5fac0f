import { describe, expect, test } from 'vitest';
import type { Estimate } from '../../../src/math/statistics.ts';
import type { Verdict } from '../../../src/math/verdicts.ts';
import { topologySentence } from '../../../src/report/sections/topologies.ts';
import { interval, makeRecord, STACK } from '../../support/make-record.ts';

const [floor, , top] = STACK;
if (!floor || !top) throw new Error('there are three targets');
const [single, two] = makeRecord({ options: { topologies: ['single', 2] } }, () => null).plan
  .topologies;
if (!single || !two) throw new Error('there are two topologies');

describe('the sentence of topologies', () => {
  const row = (target: typeof top, ratio: Estimate | null, verdict: Verdict = 'faster') => {
    const throughput = interval(1, 1, 1);
    const speedUp = ratio && { ratio, difference: interval(0.5, 0.4, 0.6), verdict };
    return {
      target,
      entries: [
        { topology: single, throughput, speedUp: null },
        { topology: two, throughput, speedUp },
      ],
    };
  };

  test('names what gained the most, and how', () => {
    const rows = [row(floor, interval(1.5, 1.4, 1.6)), row(top, interval(1.8, 1.7, 1.9))];
    expect(topologySentence(rows)).toBe(
      'top gained the most from more processes: 1.80 [1.70, 1.90] times the requests/s as 2.',
    );
  });

  test('looks for it among those that are faster, as far as can be told', () => {
    const rows = [
      row(floor, interval(1.5, 1.4, 1.6)),
      row(top, interval(1.8, 0.7, 4), "can't tell"),
    ];
    expect(topologySentence(rows)).toMatch(/^floor gained the most/);
  });

  test.each(['slower', "can't tell", 'same'] as const)(
    'does not speak of a gain where more processes are %s',
    (verdict) => {
      const rows = [
        row(floor, interval(0.5, 0.4, 0.6), verdict),
        row(top, interval(0.8, 0.7, 0.9), verdict),
      ];
      expect(topologySentence(rows)).toBe(
        'No cluster is shown to be faster; the best is top as 2: 0.80 [0.70, 0.90] times.',
      );
    },
  );

  test('says so where there is nothing to compare with', () => {
    expect(topologySentence([row(floor, null)])).toBe(
      'There is no single process to compare the clusters with.',
    );
  });
});
