/** Generators on another machine, and the readings that they ask for. */
import { describe, expect, test } from 'vitest';
import { remoteReadings } from '../../src/load/readings.ts';
import { type FromHarness, remoteGenerators } from '../../src/load/relay.ts';
import { pidsOf } from './orders.ts';

const SOURCES = { pids: pidsOf(process.pid), group: null, firstThreadOf: null };
const memory = (server: number) => ({ memory: { server, manager: 0 }, peak: null, services: {} });

describe('readings', () => {
  /** Readings whose questions are answered by their place. */
  function asking() {
    const numbers: number[] = [];
    const { readings, take } = remoteReadings(({ number }) => numbers.push(number));
    const answer = (place: number, outcome: { value: unknown } | { error: string }) => {
      return take({ kind: 'reading', number: numbers[place], outcome });
    };
    return { readings, take, answer };
  }

  test('get each its answer, in whatever order they come', async () => {
    const { readings, answer } = asking();
    const [first, second] = [readings.memory(SOURCES), readings.memory(SOURCES)];
    expect(answer(1, { value: memory(7) })).toBe(true);
    expect(answer(0, { value: memory(1234) })).toBe(true);
    expect(await Promise.all([first, second])).toEqual([memory(1234), memory(7)]);
  });

  test.each([
    ['that failed there, with the reason', { error: 'process 1 is gone' }, 'process 1 is gone'],
    ['whose answer is something else', { value: { cpu: 'much' } }, /expected/],
  ])('%s, fail here', async (_what, outcome, message) => {
    const { readings, answer } = asking();
    const reading = readings.counters(SOURCES);
    answer(0, outcome);
    await expect(reading).rejects.toThrow(message);
  });

  test('leave other messages alone', () => {
    const { take } = asking();
    expect(take({ kind: 'stop' })).toBe(false);
    // Nobody waits for this one any more.
    expect(take({ kind: 'reading', number: 99, outcome: { value: 1 } })).toBe(true);
  });
});

describe('a generator', () => {
  /** A harness with a generator on the other machine, and what it has sent. */
  function start() {
    const sent: FromHarness[] = [];
    const generators = remoteGenerators((message) => sent.push(message));
    return { sent, generators, generator: generators.start() };
  }

  test('is started, told a command, and replies', async () => {
    const { sent, generators, generator } = start();
    const ended = generator.ask({ kind: 'end' });
    generators.take({ kind: 'told', generator: 1, message: { kind: 'ready' } });
    expect(await ended).toEqual({ kind: 'ready' });
    await generator[Symbol.asyncDispose]();
    expect(sent).toEqual([
      { kind: 'start', generator: 1 },
      { kind: 'tell', generator: 1, message: { kind: 'end' } },
      { kind: 'end', generator: 1 },
    ]);
  });

  test('that is gone fails what it was told, with the reason', async () => {
    const { generators, generator } = start();
    const ended = generator.ask({ kind: 'end' });
    generators.take({ kind: 'gone', generator: 1, reason: 'it ended with SIGKILL' });
    await expect(ended).rejects.toThrow('it ended with SIGKILL');
  });

  test('gets what it asks to be read, of real processes', async () => {
    const { sent, generators } = start();
    const message = { kind: 'read', number: 5, what: 'turnCounters', sources: SOURCES };
    await generators.take({ kind: 'told', generator: 1, message });
    const outcome = { value: { cpu: { server: { cpuNs: expect.any(Number) } } } };
    expect(sent[1]).toMatchObject({ message: { kind: 'reading', number: 5, outcome } });
  });
});
