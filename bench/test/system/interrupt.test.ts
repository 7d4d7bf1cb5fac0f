import { expect, test, vi } from 'vitest';
import { listenForInterrupts } from '../../src/system/interrupt.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const countListeners = () => SIGNALS.map((signal) => process.listenerCount(signal));

test.each<[string, (typeof SIGNALS)[number][], [boolean, boolean, number | null], number]>([
  ['no signal asks for nothing', [], [false, false, null], 0],
  ['the first Ctrl-C asks to end soon, and is told', ['SIGINT'], [true, false, 130], 1],
  ['the second asks to end now', ['SIGINT', 'SIGINT'], [true, true, 130], 1],
  ['a third changes nothing', ['SIGINT', 'SIGINT', 'SIGINT'], [true, true, 130], 1],
  ['SIGTERM asks to end now', ['SIGTERM'], [true, true, 143], 0],
  ['SIGHUP asks to end now', ['SIGHUP'], [true, true, 129], 0],
  ['the first signal decides the exit code', ['SIGTERM', 'SIGINT'], [true, true, 143], 0],
])('%s', (_what, signals, state, told) => {
  const before = countListeners();
  const onFirst = vi.fn();
  const interrupts = listenForInterrupts(onFirst);
  expect(countListeners()).toEqual(before.map((count) => count + 1));
  for (const signal of signals) process.emit(signal, signal);
  const { soon, now } = interrupts;
  expect([soon.aborted, now.aborted, interrupts.exitCode()]).toEqual(state);
  expect(onFirst).toHaveBeenCalledTimes(told);
  interrupts[Symbol.dispose]();
  expect(countListeners()).toEqual(before);
});
