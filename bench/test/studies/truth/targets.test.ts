import { expect, test } from 'vitest';
import { NODE, truthTargets } from '../../../src/studies/truth/targets.ts';

/** A turn of the spin for each ns. */
const { targets, probes } = truthTargets(1000);

test('each server does more than the one it is over, and differs in nothing else but its name and label', () => {
  const all = [...targets, ...probes];
  for (const key of ['name', 'label'] as const) {
    expect(new Set(all.map((target) => target[key])).size).toBe(all.length);
  }
  const servers = targets.map(({ name, over, start }) => [name, over, start.join(' ')]);
  const working = `node ${NODE.join(' ')} working.ts 5000`;
  const later = `node ${NODE.join(' ')} later.ts 5000`;
  expect(servers).toEqual([
    ['twin-a', null, `${working} spin 0`],
    ['twin-b', null, `${working} spin 0`],
    ['spin-1', 'twin-a', `${working} spin 1000`],
    ['spin-3', 'twin-a', `${working} spin 3000`],
    ['spin-10', 'twin-a', `${working} spin 10000`],
    ['objects', 'twin-a', `${working} objects 100`],
    ['json', 'twin-a', `${working} json 2`],
    ['buffers', 'twin-a', `${working} buffers 3`],
    ['survivors', 'twin-a', `${working} survivors 60`],
    ...['after', 'late', 'batched', 'seldom', 'thread', 'child'].flatMap((name) => [
      [`${name}-idle`, 'twin-a', `${later} ${name} 0`],
      [name, `${name}-idle`, `${later} ${name} 3000`],
    ]),
    ['go', null, 'dist/server 5000 spin 0'],
    ['go-spin-3', 'go', 'dist/server 5000 spin 3000'],
    ['go-objects', 'go', 'dist/server 5000 objects 30'],
  ]);
});
