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

/** Three servers that were so dear in the same blocks. */
const three = (times: Record<number, number>) => [10, 20, 30].map((us) => server(us, times));
const SLOW = server(5000, { 7: 9 }, 20);
/** One that was busy with something else beside its turn. */
const BUSY = server(10).map((block, place) => {
  return place === 4 ? { ...block, chargedNs: 9 * block.cpuNs } : block;
});

/** Three of which one has so few answers in one block. */
function withShort(answers: number): Block[][] {
  const last = server(30, { 4: 3 });
  last[9] = { cpuNs: 30_000 * answers, answers, chargedNs: 0, ns: 1e9 };
  return [server(10, { 4: 3 }), server(20, { 4: 3 }), last];
}

describe('nothing is dropped', () => {
  test.each<[string, Block[][]]>([
    ['of servers that cost the same all the time', three({})],
    ['where there is no server', []],
    ['where there are fewer than three', three({ 4: 10 }).slice(1)],
    ['where one alone is dearer in a block', [server(10, { 4: 2 }), server(20), server(30)]],
    ['however dear that one is', [server(10, { 4: 100 }), ...three({})]],
    [
      'where each has a dear block of its own',
      [server(10, { 4: 5 }), server(20, { 5: 5 }), server(30, { 6: 5 })],
    ],
    ['where the middle one was hardly dearer', three({ 4: 1.09 })],
    ['for what servers did beside their turns', [BUSY, BUSY, BUSY]],
    ['where too few have a hundred answers in every block', withShort(99)],
    ['where one would be more than a fifth', three({ 1: 3 }).map((all) => all.slice(0, 4))],
  ])('%s', (_when, servers) => {
    expect(disturbedBlocks(servers)).toEqual([]);
  });
});

describe('a block is dropped', () => {
  const dear = { 4: 1.2 };
  // Of twenty blocks four may go.
  const many = { 1: 1.3, 3: 1.6, 6: 1.2, 9: 1.5, 12: 1.4, 15: 1.7 };

  test.each<[string, Block[][], number[]]>([
    ['in which all three were dear', three({ 4: 10 }), [4]],
    ['in which the middle one was a fifth dearer', [...three(dear).slice(1), server(30)], [4]],
    [
      'in which it was, however dear another',
      [server(10, { 4: 9 }), server(20, dear), server(30)],
      [4],
    ],
    ['where all have a hundred answers in each', withShort(100), [4]],
    ['by what servers with a hundred answers tell', [SLOW, SLOW, SLOW, ...three(dear)], [4]],
    ['with others, in their order', three({ 17: 3, 2: 1.2, 11: 1.5 }), [2, 11, 17]],
    ['where it is one of the worst', three(many), [3, 9, 12, 15]],
    ['that is no more than a fifth', three({ 1: 3 }).map((all) => all.slice(0, 5)), [1]],
  ])('%s', (_when, servers, places) => {
    expect(disturbedBlocks(servers)).toEqual(places);
  });
});
