import { expect, test } from 'vitest';
import { summarizeMains } from '../../src/summary/mains.ts';
import { micro } from '../support/estimates.ts';
import { BIDDERS, makeBidderRecord } from '../support/make-bidder-record.ts';
import { conditionUnder } from '../support/summaries.ts';

function mainsOf(base: string, parts: Parameters<typeof makeBidderRecord>[0] = {}) {
  const record = makeBidderRecord(parts);
  return summarizeMains(record, conditionUnder(record, 'quiet'), base);
}

test('each server that is no variant stands beside the one named, the cheapest first', () => {
  const table = mainsOf('nest');
  const rows = table?.rows.map(({ summary, cpu, beside }) => {
    const verdicts = beside?.costs.map(({ comparison }) => comparison.verdict);
    return [summary.target.name, cpu.map(micro).join(' '), verdicts?.join(' ') ?? null];
  });
  expect(table?.base.name).toBe('nest');
  expect(rows).toEqual([
    ['gin', '300 60 360', 'faster same faster'],
    ['fastify', '380 60 440', 'faster same faster'],
    ['nest', '500 60 560', null],
  ]);
  // Of all servers, variants included: 300 requests/s of 300 + 30 + 450 µs.
  expect(table?.busiest).toMatchObject({ target: { name: 'gin-json' } });
  expect(table?.busiest.busy).toBeCloseTo(0.234, 6);
});

test('if the one named is not there, they stand beside the first', () => {
  const targets = BIDDERS.filter(({ name }) => !/^nest(-|$)/.test(name));
  expect(mainsOf('nest', { targets })?.base.name).toBe('gin');
});

test('there is none if nothing was measured', () => {
  expect(mainsOf('nest', { without: () => true })).toBeNull();
});
