import fc from 'fast-check';
import { expect } from 'vitest';
import { parseList } from '../../src/launch/pm2.ts';
import { pidIn } from '../../src/launch/pm2-home.ts';
import { garbled, mutated, property, textOf, unless } from '../support/random.ts';

const status = fc.constantFrom('online', 'errored', 'stopped');
const listed = fc.array(
  fc.record({ name: fc.string(), pid: fc.nat(), pm2_env: fc.record({ status }) }),
  { maxLength: 3 },
);
const noise = fc.constantFrom('', '[PM2] Spawning daemon\n', 'a [b] c\n');

property('a list is read whatever comes before it', fc.tuple(noise, listed), ([before, list]) => {
  expect(parseList(`${before}${JSON.stringify(list)}\n`)).toEqual(list);
});

const texts = listed.map((list) => JSON.stringify(list));
const changed = fc.oneof(
  garbled(texts),
  listed.chain(mutated).map((list) => JSON.stringify(list)),
);
property('any other text is a list or an error', changed, (text) => {
  for (const { pid } of unless(Error, () => parseList(text)) ?? []) {
    expect(Number.isInteger(pid)).toBe(true);
  }
});

property(
  'a file of a pid holds that of a process, or none',
  textOf('1', '23', ' ', '\n', '-', 'e9'),
  (text) => {
    const pid = pidIn(text);
    expect(pid ?? 0).toBe(pid === null ? 0 : Number(text));
    if (pid !== null) expect(pid).toBeGreaterThan(0);
  },
);
