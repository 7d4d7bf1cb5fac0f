import { describe, expect, test } from 'vitest';
import { countBlocks } from '../../src/load/counted-blocks.ts';
import type { Measurement } from '../../src/load/measurement.ts';
import { makeMeasurement } from '../support/make-record.ts';

/** A server whose turns of 1,000 answers cost so many µs a request, and which had warmed up before. */
function server(us: number[], hasSettled: boolean | null = true): Measurement {
  const blocks = us.map((each) => ({ answers: 1000, cpuNs: each * 1e6, ns: 1e8 }));
  return { ...makeMeasurement({ blocks, hasSettled }), openedNs: 5e9 };
}

const many = (count: number, us = 50) => Array.from({ length: count }, () => us);

function counted(servers: Measurement[]): Measurement[] {
  const found = countBlocks(servers);
  return servers.map((each) => found.get(each) ?? each);
}

describe('blocks before a server had settled', () => {
  test('are warm-up for all of them, from where on time counts', () => {
    const all = counted([server([...many(10, 100), ...many(30)]), server(many(40))]);
    for (const { blocks, leadIn, openedNs } of all) {
      expect(blocks).toHaveLength(30);
      expect(leadIn).toMatchObject({ blocks: 10, answers: 10_000, hasSettled: true });
      expect(openedNs).toBe(5e9 + 10 * 1e8);
    }
  });

  test('leave a server unsettled that takes longer than half of them, and the others theirs', () => {
    const [late, other] = counted([server([...many(25, 100), ...many(15)]), server(many(40))]);
    expect(late?.leadIn.hasSettled).toBe(false);
    expect(other?.leadIn.hasSettled).toBe(true);
    expect(other?.blocks).toHaveLength(40);
  });

  test('count where nothing warms up', () => {
    const [cold] = counted([server([...many(10, 100), ...many(30)], null)]);
    expect(cold?.blocks).toHaveLength(40);
    expect(cold?.leadIn.hasSettled).toBeNull();
  });

  test('are as those before them told where they are too few to tell', () => {
    const [few] = counted([server([...many(10, 100), ...many(10)], false)]);
    expect(few?.blocks).toHaveLength(20);
    expect(few?.leadIn.hasSettled).toBe(false);
  });
});

test('blocks in which the machine was disturbed are marked for all, by their places among those that count', () => {
  const disturbedAt = (place: number) => {
    return many(40).map((us, at) => (at === place ? us * 1.3 : us));
  };
  const warm = [...many(10, 100), ...many(30)].map((us, at) => (at === 20 ? us * 1.3 : us));
  const all = counted([server(disturbedAt(20)), server(disturbedAt(20)), server(warm)]);
  for (const { disturbed } of all) expect(disturbed).toEqual([10]);
});
