import { describe, expect, test } from 'vitest';
import { pointOf } from '../../src/math/statistics.ts';
import { type StepsTable, summarizeSteps } from '../../src/summary/published-steps.ts';
import { summarize } from '../../src/summary/summary.ts';
import { makeBidderRecord } from '../support/make-bidder-record.ts';

function stepsOf(parts: Parameters<typeof makeBidderRecord>[0] = {}): StepsTable | null {
  const record = makeBidderRecord(parts);
  const { conditions } = summarize(record);
  const quiet = conditions.find(({ load }) => load.id === 'quiet');
  return summarizeSteps(record, conditions, quiet);
}

const timesOf = (found: StepsTable['quiet'] | undefined) => {
  return found?.rows.map(({ step, comparison: { ratio, verdict } }) => {
    return [step, Number(pointOf(ratio)?.toFixed(3)), verdict];
  });
};

describe('the published steps', () => {
  test('are compared at the published rate on two cores, and as single processes where all were measured', () => {
    const table = stepsOf();
    expect(table?.published?.condition.topology.id).toBe('2');
    expect(table?.published?.condition.load.id).toBe('rate-500');
    const [first, last] = [
      [1, Number((740 / 630).toFixed(3)), 'slower'],
      [3, 0.6, 'faster'],
    ];
    expect(timesOf(table?.published)).toEqual([first, [2, 0.6, 'faster'], last]);
    expect(timesOf(table?.quiet)).toEqual([first, [2, 0.6, 'faster'], last]);
  });

  test('have memory before any load and under it, and how many times the one is the other', () => {
    const table = stepsOf();
    const rows = table?.memory.map(({ step, language, when, published, measured }) => {
      return [step, language, when, published / 1e6, (pointOf(measured) ?? 0) / 1e6];
    });
    expect(rows).toEqual([
      [1, 'nest', 'at start', 250, 180],
      [1, 'nest', 'under load', 450, 300],
      [1, 'gin', 'at start', 20, 18],
      [1, 'gin', 'under load', 30, 30],
    ]);
    expect(table?.ratios).toMatchObject([
      { step: 1, published: 15, measured: { verdict: 'slower' } },
    ]);
    expect(pointOf(table?.ratios[0]?.measured.ratio ?? { kind: 'none' })).toBeCloseTo(10, 9);
  });

  test('are left out where one of the two was not measured', () => {
    const table = stepsOf({ without: (id) => id === 'gin-repeated/2/rate-500' });
    expect(timesOf(table?.published)?.map(([step]) => step)).toEqual([2, 3]);
    expect(table?.ratios).toEqual([]);
    expect(table?.memory.map(({ language, when }) => `${language} ${when}`)).toEqual([
      'nest at start',
      'nest under load',
    ]);
  });

  test('are told of single processes alone, and not at all where nothing of it was measured', () => {
    const single = stepsOf({ options: { topologies: ['single'] } });
    expect(single).toMatchObject({ published: null, memory: [], ratios: [] });
    expect(single?.quiet?.rows).toHaveLength(3);
    expect(stepsOf({ without: () => true })).toBeNull();
  });
});
