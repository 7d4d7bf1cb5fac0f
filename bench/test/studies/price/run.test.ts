import { expect, test } from 'vitest';
import { simulatedBackend } from '../../support/simulated/backend.ts';
import { carryOut, preparePrice } from './make-price-record.ts';

test('a price run arranges and measures every variant, with its neighbours alive, and leaves nothing', async () => {
  const { group, record } = preparePrice();
  const backend = simulatedBackend();
  let alive = 0;
  const onRound = async () => {
    alive = backend.left().filter((what) => what.startsWith('http:')).length;
  };
  const seen: string[] = [];
  const arrange: typeof backend.arrange = async (kind, arranged) => {
    seen.push(`${kind} beside ${arranged.others.length}`);
    const arrangement = await backend.arrange(kind, arranged);
    const end = async () => {
      await arrangement[Symbol.asyncDispose]();
      seen.push('over');
    };
    return { [Symbol.asyncDispose]: end };
  };
  await carryOut(record, { ...backend, arrange }, { onRound });
  // Each is over before the next one.
  const begun = seen.filter((_, index) => index % 2 === 0);
  const ended = seen.filter((_, index) => index % 2 === 1);
  expect(begun).toHaveLength(group.rounds.flat().length);
  expect(ended).toEqual(begun.map(() => 'over'));
  const kinds = ['standard', 'sampled', 'alone', 'unpinned'];
  expect(new Set(begun)).toEqual(new Set(kinds.map((kind) => `${kind} beside 11`)));
  expect(record).toMatchObject({ state: 'complete', failures: [] });
  expect(record.slices.map(({ cell }) => cell)).toEqual(group.rounds[0]);
  // The neighbours have nothing to warm up for.
  const warmed = record.warmups.map(({ server }) => server).sort();
  expect(warmed).toEqual(['twin-a/single', 'twin-b/single']);
  expect(alive).toBe(2 + 10);
  expect(backend.left()).toEqual([]);
});
