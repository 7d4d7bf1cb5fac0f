import { describe, expect, test } from 'vitest';
import { disturbedBlocks } from '../../src/load/disturbed.ts';
import type { Block } from '../../src/load/measurement.ts';

const BLOCKS = 20;

/** A server of so many µs a request, that was so many times as dear in the blocks at these places. */
function server(us: number, times: Record<number, number> = {}, answers = 1000): Block[] {
  return Array.from({ length: BLOCKS }, (_, place) => {
    const cpuNs = us * 1000 * answers * (times[place] ?? 1);
    return { cpuNs, answers, chargedNs: cpuNs, ns: 1e9 };
  });
}

describe('nothing is dropped', () => {
  test('of servers that cost the same all the time', () => {
    expect(disturbedBlocks([server(10), server(20), server(300)])).toEqual([]);
  });

  test('where there are fewer than three servers, however dear a block was', () => {
    const dear = { 4: 10 };
    expect(disturbedBlocks([])).toEqual([]);
    expect(disturbedBlocks([server(10, dear)])).toEqual([]);
    expect(disturbedBlocks([server(10, dear), server(20, dear)])).toEqual([]);
    expect(disturbedBlocks([server(10, dear), server(20, dear), server(30, dear)])).toEqual([4]);
  });

  test.each([2, 100])('where one server alone is dearer in a block: %d times', (times) => {
    const servers = [server(10, { 4: times }), server(20), server(30)];
    expect(disturbedBlocks(servers)).toEqual([]);
    expect(disturbedBlocks([...servers, server(40)])).toEqual([]);
  });

  test('where each server has a dear block of its own', () => {
    const servers = [server(10, { 4: 5 }), server(20, { 5: 5 }), server(30, { 6: 5 })];
    expect(disturbedBlocks(servers)).toEqual([]);
  });

  test('where the middle server was hardly dearer', () => {
    const dear = { 4: 1.09 };
    expect(disturbedBlocks([server(10, dear), server(20, dear), server(30, dear)])).toEqual([]);
  });

  test('for what servers did beside their turns', () => {
    const busy = server(10).map((block, place) => {
      return place === 4 ? { ...block, chargedNs: 9 * block.cpuNs } : block;
    });
    expect(disturbedBlocks([busy, busy, busy])).toEqual([]);
  });

  test('where too few servers have a hundred answers in every block', () => {
    const dear = { 4: 3 };
    const short = (answers: number) => [
      server(10, dear),
      server(20, dear),
      server(30, dear).map((block, place) => {
        return place === 9 ? { ...block, cpuNs: 30_000 * answers, answers } : block;
      }),
    ];
    expect(disturbedBlocks(short(99))).toEqual([]);
    expect(disturbedBlocks(short(100))).toEqual([4]);
  });
});

describe('a block is dropped', () => {
  test('in which the middle server was a fifth dearer, whatever the others were', () => {
    const dear = { 4: 1.2 };
    expect(disturbedBlocks([server(10, dear), server(20, dear), server(30)])).toEqual([4]);
    expect(disturbedBlocks([server(10, { 4: 9 }), server(20, dear), server(30)])).toEqual([4]);
  });

  test('by what the servers tell that have a hundred answers in each', () => {
    const dear = { 4: 1.2 };
    const slow = server(5000, { 7: 9 }, 20);
    const servers = [slow, slow, slow, server(10, dear), server(20, dear), server(30, dear)];
    expect(disturbedBlocks(servers)).toEqual([4]);
  });

  test('with others, in their order', () => {
    const dear = { 17: 3, 2: 1.2, 11: 1.5 };
    expect(disturbedBlocks([server(10, dear), server(20, dear), server(30, dear)])).toEqual([
      2, 11, 17,
    ]);
  });

  test('where it is one of the worst: a fifth of all at most', () => {
    const dear = { 1: 1.3, 3: 1.6, 6: 1.2, 9: 1.5, 12: 1.4, 15: 1.7 };
    // Four of twenty.
    expect(disturbedBlocks([server(10, dear), server(20, dear), server(30, dear)])).toEqual([
      3, 9, 12, 15,
    ]);
  });

  test('only where there are so many that one is no more than a fifth', () => {
    const dear = { 1: 3 };
    const first = (count: number) => {
      return [10, 20, 30].map((us) => server(us, dear).slice(0, count));
    };
    expect(disturbedBlocks(first(4))).toEqual([]);
    expect(disturbedBlocks(first(5))).toEqual([1]);
  });
});
