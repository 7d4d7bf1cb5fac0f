/** Generators that are told what to say carry out one order between them. */
import { expect, test } from 'vitest';
import type { Generator } from '../../src/load/generator.ts';
import type { Outcome, Prepared } from '../../src/load/protocol.ts';
import { measureTogether } from '../../src/load/together.ts';
import { makeMeasurement } from '../support/make-record.ts';
import { SimulatedClock } from '../support/simulated/clock.ts';
import { closedOrder } from './servers.ts';

const NEVER = new AbortController().signal;

const unused = async (): Promise<never> => {
  throw new Error('nobody asks for this here');
};

/** One that replies like this; a reply of null comes once it is stopped. */
class Fake implements Generator {
  readonly pid = 0;
  readonly prepared: Prepared | null;
  readonly outcome: Outcome | null;
  readonly openedAt: number[] = [];
  readonly #stopped = Promise.withResolvers<{ kind: 'stopped' }>();

  constructor(prepared: Prepared | null, outcome: Outcome | null) {
    this.prepared = prepared;
    this.outcome = outcome;
  }

  async prepare(): Promise<Prepared> {
    return this.prepared ?? (await this.#stopped.promise);
  }

  async open(atNs: number): Promise<Outcome> {
    this.openedAt.push(atNs);
    return this.outcome ?? (await this.#stopped.promise);
  }

  readonly interleave = unused;
  readonly begin = unused;
  readonly batch = unused;
  readonly end = unused;

  stop(): void {
    this.#stopped.resolve({ kind: 'stopped' });
  }

  async [Symbol.asyncDispose]() {}
}
const READY: Prepared = { kind: 'ready' };
const DONE: Outcome = { kind: 'measured', measurement: makeMeasurement({ ok: 5 }) };
const ORDER = closedOrder('http://127.0.0.1:1');

test('all open at one instant, which is still to come', async () => {
  const fakes = [new Fake(READY, DONE), new Fake(READY, DONE)];
  const clock = new SimulatedClock();
  await clock.sleep(5e9);
  expect(await measureTogether(fakes, ORDER, NEVER, clock)).toMatchObject({ kind: 'measured' });
  // 10 ms ahead.
  expect(fakes.map(({ openedAt }) => openedAt)).toEqual([[5.01e9], [5.01e9]]);
});

test('one alone opens without notice', async () => {
  const fake = new Fake(READY, DONE);
  await measureTogether([fake], ORDER, NEVER, new SimulatedClock());
  expect(fake.openedAt).toEqual([0]);
});

test('one that is refused ends it for one that is not ready yet', async () => {
  const slow = new Fake(null, DONE);
  const fakes = [slow, new Fake({ kind: 'refused' }, DONE)];
  expect(await measureTogether(fakes, ORDER, NEVER, new SimulatedClock())).toEqual({
    kind: 'refused',
  });
  expect(slow.openedAt).toEqual([]);
});

test('one that fails within its window ends it for the others, and is the outcome', async () => {
  const failed: Outcome = { kind: 'failed', message: 'it broke' };
  const fakes = [new Fake(READY, null), new Fake(READY, failed), new Fake(READY, null)];
  expect(await measureTogether(fakes, ORDER, NEVER, new SimulatedClock())).toEqual(failed);
});

test('one that is ready is told to open even when another was refused, so that it lets go', async () => {
  const ready = new Fake(READY, null);
  const fakes = [ready, new Fake({ kind: 'refused' }, DONE)];
  expect(await measureTogether(fakes, ORDER, NEVER, new SimulatedClock())).toEqual({
    kind: 'refused',
  });
  expect(ready.openedAt).toHaveLength(1);
});
