import fc from 'fast-check';
import { expect } from 'vitest';
import { parseFaults, parseSwitches } from '../../src/system/scheduling.ts';
import { counts, garbled, property, textOf, unless } from '../support/random.ts';

const told = fc.record({ voluntary: counts, involuntary: counts, minor: counts, major: counts });
type Told = typeof told extends fc.Arbitrary<infer Value> ? Value : never;

const statusOf = ({ voluntary, involuntary }: Told) => {
  return `Name:\tnode\nvoluntary_ctxt_switches:\t${voluntary}\nnonvoluntary_ctxt_switches:\t${involuntary}\n`;
};
const statOf = ({ minor, major }: Told) =>
  `1 (a) b) S 1 1 1 0 -1 4194560 ${minor} 7 ${major} 8 1 2\n`;

property('switches and page faults are read as they are written', told, (each) => {
  expect(parseSwitches('voluntary', statusOf(each))).toBe(each.voluntary);
  expect(parseSwitches('nonvoluntary', statusOf(each))).toBe(each.involuntary);
  expect(parseFaults(statOf(each))).toBe(each.minor + each.major);
});

const texts = fc.oneof(
  textOf('voluntary_ctxt_switches:\t', 'non', '1 (a) S ', ' ', '\n', '4', '-', '9'.repeat(30)),
  garbled(told.map(statusOf)),
  garbled(told.map(statOf)),
);
property('of any text they are amounts or an error', texts, (text) => {
  for (const read of [() => parseSwitches('voluntary', text), () => parseFaults(text)]) {
    const found = unless(Error, read);
    if (found === undefined) continue;
    expect(found).toBeGreaterThanOrEqual(0);
    expect(found).toBeLessThan(Number.POSITIVE_INFINITY);
  }
});
