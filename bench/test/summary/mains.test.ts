import { expect, test } from 'vitest';
import { pointOf } from '../../src/math/statistics.ts';
import { type MainTable, summarizeMains } from '../../src/summary/mains.ts';
import { summarize } from '../../src/summary/summary.ts';
import { BIDDERS, makeBidderRecord } from '../support/make-bidder-record.ts';

function mainsOf(
  base: string,
  parts: Parameters<typeof makeBidderRecord>[0] = {},
): MainTable | null {
  const record = makeBidderRecord(parts);
  const quiet = summarize(record).conditions.find(({ load }) => load.id === 'quiet');
  return quiet ? summarizeMains(record, quiet, base) : null;
}

test('each server that is no variant stands beside the one named, the cheapest first', () => {
  const table = mainsOf('nest');
  const rows = table?.rows.map(({ summary, cpu, beside }) => [
    summary.target.name,
    cpu.map((each) => Math.round((pointOf(each) ?? 0) / 1000)),
    beside?.costs.map(({ comparison }) => comparison.verdict) ?? null,
  ]);
  expect(table?.base.name).toBe('nest');
  expect(rows).toEqual([
    ['gin', [300, 60, 360], ['faster', 'same', 'faster']],
    ['fastify', [380, 60, 440], ['faster', 'same', 'faster']],
    ['nest', [500, 60, 560], null],
  ]);
});

test('where the one named is not there, they stand beside the first', () => {
  const targets = BIDDERS.filter(({ name }) => name !== 'nest' && !name.startsWith('nest-'));
  expect(mainsOf('nest', { targets })?.base.name).toBe('gin');
});

test('the busiest of all servers is told, variants too', () => {
  const busiest = mainsOf('nest')?.busiest;
  expect(busiest?.target.name).toBe('gin-json');
  // 300 requests/s of 300 + 30 + 450 µs.
  expect(busiest?.busy).toBeCloseTo(0.234, 6);
});

test('there is none where nothing was measured', () => {
  expect(mainsOf('nest', { without: () => true })).toBeNull();
});
