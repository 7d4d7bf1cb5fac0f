import { expect, test } from 'vitest';
import { priceRecordOf, priceRecordSchema } from '../../../src/studies/price/record.ts';
import { simulatedBackend } from '../../support/simulated/backend.ts';
import { carryOut, preparePrice } from './prepare.ts';

test('a price run arranges and measures every variant, with its neighbours alive, and leaves nothing', async () => {
  const { group, record } = preparePrice();
  const backend = simulatedBackend();
  let alive = 0;
  const onRound = async () => {
    alive = backend.left().filter((what) => what.startsWith('http:')).length;
  };
  const seen: string[] = [];
  const arrange: typeof backend.arrange = (kind, arranged) => {
    seen.push(`${kind} beside ${arranged.others.length}`);
    return backend.arrange(kind, arranged);
  };
  await carryOut(record, { ...backend, arrange }, { onRound });
  expect(seen).toHaveLength(group.rounds.flat().length);
  const kinds = ['standard', 'sampled', 'alone', 'unpinned'];
  expect(new Set(seen)).toEqual(new Set(kinds.map((kind) => `${kind} beside 11`)));
  expect(record).toMatchObject({ state: 'complete', failures: [] });
  expect(record.slices.map(({ cell }) => cell)).toEqual(group.rounds[0]);
  // The neighbours have nothing to warm up for.
  const warmed = record.warmups.map(({ server }) => server).sort();
  expect(warmed).toEqual(['twin-a/single', 'twin-b/single']);

  const told = priceRecordSchema.parse(priceRecordOf(record));
  expect(new Set(told.slices.map(({ variant }) => variant))).toEqual(new Set(told.variants));
  expect(told.slices).toHaveLength(5);
  for (const slice of told.slices) {
    expect(slice).toMatchObject({ launch: 0, round: 0, windowNs: 1e8 });
    expect(slice.responses).toBeGreaterThan(0);
    expect(slice.cpuNs).toBeGreaterThan(0);
  }
  expect(told.wallNs).toBeGreaterThan(0.5e9);
  expect(alive).toBe(2 + 10);
  expect(backend.left()).toEqual([]);
});
