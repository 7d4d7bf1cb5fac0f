import { EventEmitter } from 'node:events';
import { Writable } from 'node:stream';
import { expect } from 'vitest';
import type { Io } from '../../src/commands/command.ts';
import { main } from '../../src/commands/main.ts';
import type { Clock } from '../../src/load/clock.ts';
import { type Backend, SYSTEM } from '../../src/run/backend.ts';
import { simulatedBackend, type World } from './simulated/backend.ts';

/** What became of a command. */
export interface Finished {
  code: number;
  stdout: string;
  stderr: string;
}

/** Sends a signal to the command. */
export type SendSignal = (name: 'SIGINT' | 'SIGTERM' | 'SIGHUP') => void;

/** What a command runs on, and what a test does while it goes on. */
export interface Surroundings {
  backend?: Backend;
  /** Is told of all that stderr has so far, whenever there is more of it. */
  onSaid?: (stderr: string, send: SendSignal) => void;
  /** Where its signals arrive. */
  signals?: EventEmitter;
}

/**
 * The command line as a function: what these arguments come to on a simulated machine, on which nothing is
 * left running after it. `onWake` is called each time that a sleep on its clock ends.
 */
export async function simulate(
  args: string[],
  world: World = {},
  onSaid: Surroundings['onSaid'] = () => {},
  onWake: (count: number, send: SendSignal, clock: Clock) => void = () => {},
): Promise<Finished> {
  const backend = simulatedBackend(world);
  const signals = new EventEmitter();
  const send: SendSignal = (name) => signals.emit(name, name);
  backend.clock.onWake = (count) => onWake(count, send, backend.clock);
  const finished = await command(args, { backend, onSaid, signals });
  expect(backend.left()).toEqual([]);
  return finished;
}

/** The command line as a function, on this machine where nothing else is given. */
export async function command(
  args: string[],
  { backend = SYSTEM, onSaid = () => {}, signals = new EventEmitter() }: Surroundings = {},
): Promise<Finished> {
  const stdout = collect(() => {});
  const stderr = collect((text) => onSaid(text, (name) => signals.emit(name, name)));
  const io: Io = {
    stdout: stdout.stream,
    stderr: stderr.stream,
    signals,
    backend,
    isRelayed: false,
    onRecord: () => {},
  };
  const code = await main(args, io);
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

/** A stream that keeps what is written, and tells of all of it each time. */
function collect(onText: (text: string) => void): { stream: Writable; text: () => string } {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      onText(text);
      done();
    },
  });
  return { stream, text: () => text };
}
