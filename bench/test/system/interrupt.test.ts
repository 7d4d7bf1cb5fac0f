import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Interrupts, listenForInterrupts } from '../../src/system/interrupt.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const countListeners = () => SIGNALS.map((signal) => process.listenerCount(signal));

let before: number[];
let interrupts: Interrupts;
const onFirst = vi.fn();

beforeEach(() => {
  before = countListeners();
  onFirst.mockReset();
  interrupts = listenForInterrupts(onFirst);
});
afterEach(() => interrupts[Symbol.dispose]());

const send = (signal: (typeof SIGNALS)[number]) => process.emit(signal, signal);
const state = () => [interrupts.soon.aborted, interrupts.now.aborted, interrupts.exitCode()];

test('asks for nothing as long as no signal came', () => {
  expect(state()).toEqual([false, false, null]);
  expect(onFirst).not.toHaveBeenCalled();
});

test('the first Ctrl-C asks to end soon, and is told', () => {
  send('SIGINT');
  expect(state()).toEqual([true, false, 130]);
  expect(onFirst).toHaveBeenCalledOnce();
});

test('the second Ctrl-C asks to end now, and is not told again', () => {
  send('SIGINT');
  send('SIGINT');
  send('SIGINT');
  expect(state()).toEqual([true, true, 130]);
  expect(onFirst).toHaveBeenCalledOnce();
});

test.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s asks to end now, with exit code %d', (signal, code) => {
  send(signal);
  expect(state()).toEqual([true, true, code]);
  expect(onFirst).not.toHaveBeenCalled();
});

test('the first signal decides the exit code', () => {
  send('SIGTERM');
  send('SIGINT');
  expect(interrupts.exitCode()).toBe(143);
});

test('listens until it is disposed of', () => {
  expect(countListeners()).toEqual(before.map((count) => count + 1));
  interrupts[Symbol.dispose]();
  expect(countListeners()).toEqual(before);
});
