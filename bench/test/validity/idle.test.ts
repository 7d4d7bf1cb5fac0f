import { expect, test } from 'vitest';
import { flagWhen } from './cells.ts';

test('NOT_QUIET fires on a single slice after which the server was still busy', () => {
  const flagWhere = (isQuiet: (launch: number, round: number) => boolean | null) => {
    return flagWhen('NOT_QUIET', (launch, round) => ({ isQuiet: isQuiet(launch, round) }));
  };
  const flag = flagWhere((launch, round) => launch !== 1 || round !== 2);
  expect(flag).toEqual({ code: 'NOT_QUIET', busy: 1, slices: 9 });
  expect(flagWhere(() => true)).toBeNull();
  // Nobody waited for that.
  expect(flagWhere(() => null)).toBeNull();
});

test('IDLE_USE fires where more than a tenth of what the server used is what it uses anyway', () => {
  /** Of a server that uses 980 ms in each slice of 1 s. */
  const shareOf = (idleMsPerS: number) => {
    return flagWhen('IDLE_USE', { idleNsPerS: idleMsPerS * 1e6 })?.share ?? null;
  };
  expect([196, 98.1, 97.9, 0].map(shareOf)).toEqual([
    ...[expect.closeTo(0.2, 9), expect.closeTo(0.1, 3), null, null],
  ]);
});

test('IDLE_USE counts the time for which the server was charged, between its turns too', () => {
  // 60 ms in each of 2 + 2 s, of 800 and 1,600 ms.
  const blocks = [
    { cpuNs: 5e8, answers: 49_000, chargedNs: 8e8, ns: 2e9 },
    { cpuNs: 5e8, answers: 49_000, chargedNs: 16e8, ns: 2e9 },
  ];
  const shareOf = (idleNsPerS: number) => flagWhen('IDLE_USE', { blocks, idleNsPerS })?.share;
  expect(shareOf(60.001e6)).toBeCloseTo(0.1, 4);
  expect(shareOf(59.999e6)).toBeUndefined();
});
