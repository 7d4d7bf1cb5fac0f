import type { Block } from './measurement.ts';

/** So many blocks are held against as many before them. */
const SPAN = 8;
/** By which share a request may have become cheaper from these to those. */
const FALL_SHARE = 0.02;

/** Whether a server has answered so many requests in these blocks, and has stopped becoming cheaper. */
export function isSettledIn(
  blocks: readonly Pick<Block, 'cpuNs' | 'answers'>[],
  fewestAnswers: number,
): boolean {
  const answers = blocks.reduce((sum, block) => sum + block.answers, 0);
  if (blocks.length < 2 * SPAN || answers < fewestAnswers) return false;
  const [before, last] = [blocks.slice(-2 * SPAN, -SPAN), blocks.slice(-SPAN)];
  return costOf(last) >= (1 - FALL_SHARE) * costOf(before);
}

function costOf(blocks: readonly Pick<Block, 'cpuNs' | 'answers'>[]): number {
  const cpuNs = blocks.reduce((sum, block) => sum + block.cpuNs, 0);
  return cpuNs / blocks.reduce((sum, block) => sum + block.answers, 0);
}
