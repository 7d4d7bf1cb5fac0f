import { describe, expect, test, vi } from 'vitest';
import { messageOf, UserError } from '../../src/base/errors.ts';
import { withDeadlines } from '../../src/load/deadline.ts';
import type { ClosedOrder, Command, Reply } from '../../src/load/protocol.ts';
import { NO_LEAD_IN } from '../../src/plan/draw.ts';
import { SimulatedClock } from '../support/simulated/clock.ts';
import { fakeGenerator } from './generators.ts';
import { ALL_ANSWERED, AT_ONCE, closedOrder, openOrder } from './orders.ts';

const ORIGIN = 'http://127.0.0.1:1';
const LASTS = { timeoutNs: 7e9, drainCapNs: 2e9, window: { ns: 60e9 } };
const OPENING = { ...ALL_ANSWERED, capNs: 20e9, settleNs: 1e9 };
const CLOSED = closedOrder(ORIGIN, { ...LASTS, opening: OPENING });
const CLOSED_AT_ONCE = closedOrder(ORIGIN, { ...LASTS, ...AT_ONCE });
const { window: _window, ...ENDLESS } = CLOSED;

const PREPARE: Command = { kind: 'prepare', order: CLOSED };
const BEGIN: Command = { kind: 'begin', order: ENDLESS };
const OPEN: Command = { kind: 'open', atNs: 0 };
const END: Command = { kind: 'end' };
const batch = (ns: number): Command => ({ kind: 'batch', window: { ns, answers: null } });

type Parts = Partial<ClosedOrder>;

/** Has two orders carried out, in two blocks that count. */
function interleave(one: Parts = {}, other: Parts = {}, leadIn = NO_LEAD_IN): Command {
  const first = { ...CLOSED, ...one };
  const second = { ...CLOSED_AT_ONCE, ...other };
  const blocks = Array(2).fill([0, 1]);
  return { kind: 'interleave', interleaving: { orders: [first, second], blocks, leadIn } };
}

const READY: Reply = { kind: 'ready' };
const REFUSED: Reply = { kind: 'refused' };
const NEVER = new Promise<never>(() => {});

/** A generator with deadlines that is ready for these commands, and replies like this to the next one. */
async function watched(before: Command[], reply: (clock: SimulatedClock) => Promise<Reply>) {
  const clock = new SimulatedClock();
  let isReady = true;
  const stopped = vi.fn();
  const ask = async () => (isReady ? READY : await reply(clock));
  const own = withDeadlines(fakeGenerator(ask, stopped), clock);
  for (const command of before) await own.ask(command);
  isReady = false;
  return { clock, stopped, stop: () => own.stop(), ask: own.ask };
}
const hanging = (before: Command[] = []) => watched(before, () => NEVER);

/** Runs everything that is due. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
}

const lateAfter = (seconds: number) => `the load generator did not answer within ${seconds} s`;

describe('a command without a reply fails 30 s after the longest time that it can take', () => {
  const LEAD_IN = { blocks: Array(3).fill([0, 1]), answers: 1000, span: 8 };
  const QUIET = interleave({ quietCapNs: 10e9 }, { quietCapNs: 3e9 });

  test.each<[string, number, Command, Command[]?]>([
    // A time-out, the cap of the opening and its settling: 7 + 20 + 1 s.
    ['a closed load that opens', 58, PREPARE],
    ['one that opens at once', 37, { kind: 'prepare', order: CLOSED_AT_ONCE }],
    ['an open load that opens', 37, { kind: 'prepare', order: openOrder(ORIGIN, LASTS) }],
    // Before any order, and so with nothing to end.
    ['an end without a load', 30, END],
    // Each order once: its opening, its window and a time-out; each turn with the longest drain.
    ['an interleaving', 30 + 95 + 74 + 4 * 5, interleave({}, { drainCapNs: 5e9 })],
    // Before it drains a turn may wait as long for its last round.
    ['one of whole rounds', 30 + 95 + 74 + 4 * 2 * 2, interleave({}, { wholeRounds: true })],
    // With three blocks before the two that count, each load is on for five halves of its window.
    ['one that leads in', 30 + 185 + 164 + 10 * 2, interleave({}, {}, LEAD_IN)],
    ['one that waits for quiet servers', 30 + (95 + 10) + (74 + 3) + 4 * 2, QUIET],
    // The window, a time-out and the drain.
    ['a window', 30 + 60 + 7 + 2, OPEN, [PREPARE]],
    ['a load that begins', 30, BEGIN],
    // Of a load that has begun the window is not known in advance.
    ['a batch', 30 + 3 + 7, batch(3e9), [BEGIN]],
    ['the end of a load', 30 + 7 + 2, END, [BEGIN]],
  ])('%s: %d s', async (_what, seconds, command, before = []) => {
    const { clock, ask } = await hanging(before);
    const error = await ask(command).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(UserError);
    expect(messageOf(error)).toBe(lateAfter(seconds));
    expect(clock.now()).toBe(seconds * 1e9);
  });
});

describe('a generator that is told to stop', () => {
  test.each<[string, Command, Command[]]>([
    ['an opening', PREPARE, []],
    ['a batch', batch(60e9), [BEGIN]],
  ])('has 10 s from then on: in %s', async (_what, command, before) => {
    const { clock, ask, stop, stopped } = await hanging(before);
    const asked = ask(command).catch(messageOf);
    await clock.sleep(4e9);
    stop();
    expect(await asked).toBe(lateAfter(10));
    expect(clock.now()).toBe(14e9);
    expect(stopped).toHaveBeenCalledOnce();
  });

  test('has 10 s for the next command too, and the usual time for the next order', async () => {
    const { clock, ask, stop } = await hanging([PREPARE]);
    stop();
    expect(await ask(OPEN).catch(messageOf)).toBe(lateAfter(10));
    expect(await ask(PREPARE).catch(messageOf)).toBe(lateAfter(58));
    expect(clock.now()).toBe(68e9);
  });
});

describe('a timely reply', () => {
  test.each<[string, Command, boolean]>([
    ['to a window', OPEN, false],
    ['within 10 s of a stop', OPEN, true],
  ])('%s is passed on, and nobody waits any more', async (_what, command, isStopped) => {
    const { clock, ask, stop } = await watched([PREPARE], async (own) => {
      await own.sleep(1e9);
      return REFUSED;
    });
    const asked = ask(command);
    if (isStopped) stop();
    expect(await asked).toEqual(REFUSED);
    stop();
    await settled();
    // It would jump to the end of any sleep.
    expect(clock.now()).toBe(1e9);
  });

  test('may be that the generator is gone', async () => {
    const gone = new Error('the load generator ended with SIGKILL');
    const { clock, ask } = await watched([PREPARE], () => Promise.reject(gone));
    await expect(ask(OPEN)).rejects.toBe(gone);
    await settled();
    expect(clock.now()).toBe(0);
  });
});
