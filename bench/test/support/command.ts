import { EventEmitter } from 'node:events';
import { parseArgsStringToArgv } from 'string-argv';
import { expect } from 'vitest';
import { main } from '../../src/commands/main.ts';
import type { Clock } from '../../src/load/clock.ts';
import { type Backend, SYSTEM } from '../../src/run/backend.ts';
import { collect } from './screen.ts';
import { simulatedBackend, type World } from './simulated/backend.ts';

export type SendSignal = (name: 'SIGINT' | 'SIGTERM' | 'SIGHUP') => void;

/** What a command runs on, and what a test does meanwhile. */
export interface Surroundings {
  backend?: Backend;
  /** Called with all of stderr whenever the command writes to it. */
  onSaid?: (stderr: string, send: SendSignal) => void;
  signals?: EventEmitter;
}

/** The words of a command line; quotes keep spaces in one. */
export function wordsOf(line: string | readonly string[]): string[] {
  return typeof line === 'string' ? parseArgsStringToArgv(line) : [...line];
}

/** Runs a command line on a simulated machine, where nothing may stay. `onWake` is told of each sleep that ends. */
export async function simulate(
  line: string | readonly string[],
  world: World = {},
  onSaid: Surroundings['onSaid'] = () => {},
  onWake: (count: number, send: SendSignal, clock: Clock) => void = () => {},
) {
  const backend = simulatedBackend(world);
  const signals = new EventEmitter();
  const send: SendSignal = (name) => signals.emit(name, name);
  let sleeps = 0;
  backend.clock.onWake = (count) => {
    sleeps = count;
    onWake(count, send, backend.clock);
  };
  const finished = await command(line, { backend, onSaid, signals });
  expect(backend.left()).toEqual([]);
  return { ...finished, sleeps };
}

/** Runs a command line, by default on this machine. */
export async function command(
  line: string | readonly string[],
  { backend = SYSTEM, onSaid = () => {}, signals = new EventEmitter() }: Surroundings = {},
) {
  const stdout = collect();
  const stderr = collect((text) => onSaid(text, (name) => signals.emit(name, name)));
  const io = { stdout: stdout.stream, stderr: stderr.stream, signals, backend };
  const code = await main(wordsOf(line), io);
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}
