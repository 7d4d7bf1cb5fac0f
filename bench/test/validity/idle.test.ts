import { expect, test } from 'vitest';
import type { Happened } from '../support/make-record.ts';
import { flagWhen } from './cells.ts';

test.each<[string, (isOne: boolean) => boolean | null, flag: object | null]>([
  ['on a single busy slice', (isOne) => !isOne, { code: 'NOT_QUIET', busy: 1, slices: 9 }],
  ['not where all were quiet', () => true, null],
  ['not where nobody waited for that', () => null, null],
])('NOT_QUIET fires %s', (_, isQuiet, flag) => {
  const story = (launch: number, round: number) => {
    return { isQuiet: isQuiet(launch === 1 && round === 2) };
  };
  expect(flagWhen('NOT_QUIET', story)).toEqual(flag);
});

// In each of 2 + 2 s, of which the server was charged 800 and 1,600 ms, between its turns too.
const blocks = [
  { cpuNs: 5e8, answers: 49_000, chargedNs: 8e8, ns: 2e9 },
  { cpuNs: 5e8, answers: 49_000, chargedNs: 16e8, ns: 2e9 },
];

test.each<[idleMsPerS: number, Happened, share: number | undefined]>([
  // Of a server that uses 980 ms in each slice of 1 s.
  [196, {}, 0.2],
  [98.1, {}, 0.1],
  [97.9, {}, undefined],
  [0, {}, undefined],
  [60.001, { blocks }, 0.1],
  [59.999, { blocks }, undefined],
])('IDLE_USE, with %d ms of idle use in a second of %o: %s', (idleMsPerS, happened, share) => {
  const found = flagWhen('IDLE_USE', { ...happened, idleNsPerS: idleMsPerS * 1e6 })?.share;
  expect(found).toEqual(share && expect.closeTo(share, 3));
});
