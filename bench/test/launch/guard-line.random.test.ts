import fc from 'fast-check';
import { expect } from 'vitest';
import { parseLine } from '../../src/launch/guard-line.ts';
import { garbled, mutated, property } from '../support/random.ts';

const pid = fc.integer({ min: 2, max: 2 ** 22 });
const version = fc.constantFrom(1, 2);
const lines = fc.oneof(
  fc.record({ kind: fc.constantFrom('guard', 'release'), leader: pid }),
  fc.record({
    kind: fc.constantFrom('guard limit', 'release limit'),
    version,
    folder: fc.string(),
  }),
  fc.constant({ kind: 'done' }),
);

property('a line is what the harness wrote', lines, (line) => {
  expect(parseLine(JSON.stringify(line))).toEqual(line);
});

const texts = lines.map((line) => JSON.stringify(line));
const changed = fc.oneof(
  garbled(texts),
  lines.chain(mutated).map((line) => JSON.stringify(line)),
);
property('any other line is one or none, and never of every process', changed, (text) => {
  const line = parseLine(text);
  if (line !== null && 'leader' in line) expect(line.leader).toBeGreaterThan(1);
});
