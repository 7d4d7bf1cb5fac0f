import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { messageOf, UserError } from '../../src/base/errors.ts';
import { withDeadlines } from '../../src/load/deadline.ts';
import type { Generator } from '../../src/load/generator.ts';
import type { ClosedOrder, Interleaving, Outcome } from '../../src/load/protocol.ts';
import { NO_LEAD_IN } from '../../src/plan/draw.ts';
import { SimulatedClock } from '../support/simulated/clock.ts';
import { ALL_ANSWERED, closedOrder, openOrder } from './servers.ts';

const ORIGIN = 'http://127.0.0.1:1';
const LASTS = { timeoutNs: 7e9, drainCapNs: 2e9, window: { ns: 60e9 } };
const CLOSED = closedOrder(ORIGIN, {
  ...LASTS,
  opening: { ...ALL_ANSWERED, capNs: 20e9, settleNs: 1e9 },
});
const AT_ONCE = closedOrder(ORIGIN, { ...LASTS, opening: { when: 'at once' } });
const OPEN = openOrder(ORIGIN, LASTS);
const { window: _window, ...LASTING } = CLOSED;

const NEVER = new Promise<never>(() => {});
const REFUSED: Outcome = { kind: 'refused' };

const unheard: unknown[] = [];
const listen = (error: unknown) => unheard.push(error);
beforeEach(() => {
  process.on('unhandledRejection', listen);
});
afterEach(() => {
  process.off('unhandledRejection', listen);
  expect(unheard.splice(0)).toEqual([]);
});

/** A generator with deadlines that replies to orders as this says, and how often it was told to stop. */
function watched(reply: (clock: SimulatedClock) => Promise<Outcome> = () => NEVER) {
  const clock = new SimulatedClock();
  const answer = () => reply(clock);
  let stops = 0;
  const generator: Generator = {
    pid: 1,
    prepare: async () => ({ kind: 'ready' }),
    open: answer,
    interleave: async () => [await answer()],
    begin: async () => {},
    batch: () => NEVER,
    end: () => NEVER,
    stop: () => {
      stops++;
    },
    async [Symbol.asyncDispose]() {},
  };
  const hanging = { ...generator, prepare: () => NEVER };
  return {
    clock,
    prompt: withDeadlines(generator, clock),
    hanging: withDeadlines(hanging, clock),
    stops: () => stops,
  };
}

type Ask = (generator: Generator) => Promise<unknown>;

/** Has two orders carried out, in two blocks that count. */
function interleave(
  one: Partial<ClosedOrder>,
  other: Partial<ClosedOrder>,
  leadIn: Interleaving['leadIn'] = NO_LEAD_IN,
): Ask {
  const orders = [
    { ...CLOSED, ...one },
    { ...AT_ONCE, ...other },
  ];
  return (generator) => generator.interleave({ orders, blocks: Array(2).fill([0, 1]), leadIn });
}

/** Lets everything go on that can without anybody else's doing. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
}

describe('an order that gets no reply is an error, once it can take no longer and half a minute has passed', () => {
  const LEAD_IN = { blocks: Array(3).fill([0, 1]), answers: 1000, span: 8 };

  test.each<[string, number, Ask]>([
    // A time-out, the cap of the opening and its settling: 7 + 20 + 1 s.
    ['a closed load that opens', 58, (generator) => generator.prepare(CLOSED)],
    ['a closed load that opens at once', 37, (generator) => generator.prepare(AT_ONCE)],
    ['an open load that opens', 37, (generator) => generator.prepare(OPEN)],
    // Before any order, and so with nothing to end.
    ['an end without a load', 30, (generator) => generator.end()],
    // Each order once: its opening, its window and a time-out; each turn with the longest drain.
    ['an interleaving', 30 + 95 + 74 + 4 * 5, interleave({}, { drainCapNs: 5e9 })],
    // Before it drains a turn may wait as long for its last round.
    ['one of whole rounds', 30 + 95 + 74 + 4 * 2 * 2, interleave({}, { wholeRounds: true })],
    // With three blocks before the two that count, each load is on for five halves of its window.
    ['one that leads in', 30 + 185 + 164 + 10 * 2, interleave({}, {}, LEAD_IN)],
    [
      'one that waits until its servers are quiet',
      30 + (95 + 10) + (74 + 3) + 4 * 2,
      interleave({ quietCapNs: 10e9 }, { quietCapNs: 3e9 }),
    ],
  ])('%s: %d s', async (_what, seconds, ask) => {
    const { clock, hanging } = watched();
    const error = await ask(hanging).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(UserError);
    expect(messageOf(error)).toBe(`the load generator did not answer within ${seconds} s`);
    expect(clock.now()).toBe(seconds * 1e9);
  });

  test.each<[string, number, Ask]>([
    // The window, a time-out and the drain.
    ['a window', 30 + 60 + 7 + 2, (generator) => generator.open(0)],
    // Of a load that has begun there is no window in advance.
    ['a batch', 30 + 3 + 7, (generator) => generator.batch({ ns: 3e9, answers: null })],
    ['the end of a load', 30 + 7 + 2, (generator) => generator.end()],
  ])('%s: %d s', async (_what, seconds, ask) => {
    const { clock, prompt } = watched();
    await prompt.prepare(CLOSED);
    await prompt.begin(LASTING);
    const message = `the load generator did not answer within ${seconds} s`;
    expect(await ask(prompt).catch(messageOf)).toBe(message);
    expect(clock.now()).toBe(seconds * 1e9);
  });
});

describe('a generator that is told to stop', () => {
  test.each<[string, Ask]>([
    ['an opening', (generator) => generator.prepare(CLOSED)],
    ['an interleaving', interleave({}, {})],
    [
      'a batch',
      async (generator) => {
        await generator.begin(LASTING);
        return generator.batch({ ns: 60e9, answers: 1 });
      },
    ],
  ])('has 10 s from then on: in %s', async (_what, ask) => {
    const { clock, hanging, stops } = watched();
    const asked = ask(hanging).catch(messageOf);
    await clock.sleep(4e9);
    hanging.stop();
    expect(await asked).toBe('the load generator did not answer within 10 s');
    expect(clock.now()).toBe(14e9);
    expect(stops()).toBe(1);
  });

  test('has 10 s for what it is asked after that, and all of its time for the next order', async () => {
    const { clock, prompt } = watched();
    await prompt.prepare(CLOSED);
    prompt.stop();
    expect(await prompt.open(0).catch(messageOf)).toMatch('within 10 s');
    await prompt.prepare(CLOSED);
    expect(await prompt.open(0).catch(messageOf)).toMatch('within 99 s');
    expect(clock.now()).toBe(109e9);
  });
});

describe('a timely reply', () => {
  const afterASecond = async (clock: SimulatedClock) => {
    await clock.sleep(1e9);
    return REFUSED;
  };
  const open: Ask = (generator) => generator.open(0);
  const openStopped: Ask = (generator) => {
    const opened = generator.open(0);
    generator.stop();
    return opened;
  };

  test.each<[string, Ask, unknown]>([
    ['to a window', open, REFUSED],
    ['to an interleaving', interleave({}, {}), [REFUSED]],
    ['within 10 s of a stop', openStopped, REFUSED],
  ])('%s is passed on, and nobody waits any more', async (_what, ask, reply) => {
    const { clock, prompt } = watched(afterASecond);
    await prompt.prepare(CLOSED);
    expect(await ask(prompt)).toEqual(reply);
    prompt.stop();
    await settled();
    // It would jump to the end of any sleep.
    expect(clock.now()).toBe(1e9);
  });

  test('may be that the generator is gone', async () => {
    const gone = new Error('the load generator ended with SIGKILL');
    const { clock, prompt } = watched(() => Promise.reject(gone));
    await prompt.prepare(CLOSED);
    await expect(prompt.open(0)).rejects.toBe(gone);
    await settled();
    expect(clock.now()).toBe(0);
  });
});
