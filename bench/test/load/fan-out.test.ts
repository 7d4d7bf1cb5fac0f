/** One order shared by fake generators, and how their measurements are merged. */
import * as hdr from 'hdr-histogram-js';
import { describe, expect, test } from 'vitest';
import { fanOut, mergeMeasurements, mergeReplies, shareOf } from '../../src/load/fan-out.ts';
import type { Generator } from '../../src/load/generator.ts';
import type { Measurement } from '../../src/load/measurement.ts';
import type { Command, Order, Reply } from '../../src/load/protocol.ts';
import { agesOf, makeMeasurement } from '../support/make-record.ts';
import { SimulatedClock } from '../support/simulated/clock.ts';
import { fakeGenerator, NEVER } from './generators.ts';
import { closedOrder } from './orders.ts';

const READY: Reply = { kind: 'ready' };
const DONE: Reply = { kind: 'measured', measurement: makeMeasurement({ ok: 10 }) };
const FAILED: Reply = { kind: 'failed', message: 'it broke' };
const REFUSED: Reply = { kind: 'refused' };
const STOPPED: Reply = { kind: 'stopped' };

/** Replies like this to being prepared and opened; a reply of null comes once it is stopped. */
function fake(prepared: Reply | null, outcome: Reply | null = null) {
  const stopped = Promise.withResolvers<Reply>();
  const openedAt: number[] = [];
  const orders: Order[] = [];
  const ask = async (command: Command) => {
    if (command.kind === 'open') openedAt.push(command.atNs);
    if (command.kind === 'prepare') orders.push(command.order);
    return (command.kind === 'open' ? outcome : prepared) ?? (await stopped.promise);
  };
  return { ...fakeGenerator(ask, () => stopped.resolve(STOPPED)), openedAt, orders };
}

describe('one order', () => {
  const ORDER = closedOrder('http://127.0.0.1:1');
  const inAll = (fakes: Generator[], clock = new SimulatedClock()) => {
    return fanOut(fakes, ORDER, NEVER, clock);
  };

  test.each([1, 2])('is shared by %d, whose windows open at one instant', async (count) => {
    const fakes = Array.from({ length: count }, () => fake(READY, DONE));
    const clock = new SimulatedClock();
    await clock.sleep(5e9);
    const measurement = { window: { ok: 10 * count }, generators: count };
    expect(await inAll(fakes, clock)).toMatchObject({ kind: 'measured', measurement });
    // Several have 10 ms until then.
    const atNs = count === 1 ? 5e9 : 5.01e9;
    expect(fakes.map(({ openedAt }) => openedAt)).toEqual(Array(count).fill([atNs]));
    const shares = fakes.map((_, index) => [shareOf(ORDER, index, count)]);
    expect(fakes.map(({ orders }) => orders)).toEqual(shares);
  });

  // One that is ready has its window opened, so that it lets go.
  test.each([
    ['is not ready yet', null, []],
    ['is ready', READY, [0.01e9]],
  ])('ends for a generator that %s once another is refused', async (_what, prepared, openedAt) => {
    const other = fake(prepared);
    expect(await inAll([other, fake(REFUSED)])).toEqual(REFUSED);
    expect(other.openedAt).toEqual(openedAt);
  });

  test('ends for the others once one fails within its window', async () => {
    expect(await inAll([fake(READY), fake(READY, FAILED), fake(READY)])).toEqual(FAILED);
  });

  test.each([
    [DONE, STOPPED, STOPPED],
    [DONE, FAILED, FAILED],
    [STOPPED, REFUSED, REFUSED],
    [STOPPED, FAILED, FAILED],
    [STOPPED, STOPPED, STOPPED],
  ])('comes to one reply: %j and %j', (a, b, reply) => {
    expect(mergeReplies(a, b)).toEqual(reply);
    expect(mergeReplies(b, a)).toEqual(reply);
  });
});

describe('the measurement of several generators', () => {
  /** Of the generator that reads the server's processes. */
  const FIRST: Measurement = {
    ...makeMeasurement({
      ...{ ok: 95, wrongStatus: 1, timedOut: 2, disconnected: 2, inFlight: 10, windowS: 1.01 },
      ...{ latenciesMs: [1, 2], lostAgesMs: [3], inFlightAgesMs: [4, 5], generatorCpuMs: 800 },
      ...{ halfway: { s: 0.5, ok: 40 }, serverBytes: 9e7, workersCpuMs: [400, 500], waitMs: 5 },
      ...{ blocks: [50, 46].map((answers) => ({ cpuNs: 4e8, answers, chargedNs: 5e8, ns: 6e8 })) },
      ...{ turns: { all: 500, empty: 400, idleNs: 312_000 }, idleNsPerS: 2e6, isQuiet: true },
      ...{ services: { redis: { cpuNs: 3e7, waitNs: 1e6, bytes: 9e6 } }, hasSettled: true },
      ...{ system: { stealMs: 10 }, pace: { dropped: 3, late: 1 } },
      throttling: { periods: 10, throttledPeriods: 4, throttledNs: 3e8 },
    }),
    openedNs: 5e9,
  };

  /** Of another one, which reads nothing but itself. */
  const OTHER: Measurement = {
    ...makeMeasurement({
      ...{ ok: 30, wrongStatus: 4, wrongBody: 5, timedOut: 6, inFlight: 11, windowS: 1.02 },
      ...{ latenciesMs: [2, 30], lostAgesMs: [10, 20], inFlightAgesMs: [6], generatorCpuMs: 900 },
      ...{ halfway: { s: 0.51, ok: 60 }, cpuUsPerResponse: 0, serverBytes: 0, workersCpuMs: [] },
      ...{ blocks: [20, 19].map((answers) => ({ cpuNs: 0, answers, ns: 6.1e8 })) },
      ...{ turns: { all: 90_000, empty: 100, idleNs: 78_000 }, system: { stealMs: 20 } },
      pace: { dropped: 4, late: 2 },
    }),
    openedNs: 5.1e9,
  };
  const merged = mergeMeasurements(FIRST, OTHER);

  test('adds up, within the window and over all', () => {
    const ends = { ok: 125, wrongStatus: 5, wrongBody: 5, timedOut: 8, disconnected: 2 };
    const counts = { sent: 166, ...ends };
    expect(merged.ledger).toEqual({ ...counts, inFlight: 21 });
    expect(merged.window).toEqual({ ...counts, bytes: FIRST.window.bytes + OTHER.window.bytes });
    expect(merged.halfway).toEqual({ ns: 0.5e9, ok: 100 });
    expect(merged.pace).toMatchObject({ planned: 173, dropped: 7, lateness: { late: 3 } });
    const three = [FIRST, OTHER, OTHER].reduce(mergeMeasurements);
    expect(three).toMatchObject({ generators: 3, ledger: { ok: 95 + 30 + 30 } });
  });

  test('has a time in its histogram as often as in both', () => {
    const { lost, inFlight } = agesOf(merged);
    const histograms = [hdr.decodeFromCompressedBase64(merged.latencyHistogram), lost, inFlight];
    expect(histograms.map(({ totalCount }) => totalCount)).toEqual([96 + 30, 3, 3]);
    expect(histograms.map(({ maxValue }) => Math.round(maxValue / 1000))).toEqual([30, 20, 6]);
  });

  test('has the CPU time of all generators, and what only the first reads as it read it', () => {
    expect(merged.cpu).toEqual({ ...FIRST.cpu, generator: { cpuNs: 17e8, waitNs: 0 } });
    const { workersCpuNs, services, memory, peak, openedNs, windowNs, system } = FIRST;
    expect(merged).toMatchObject({ workersCpuNs, services, memory, peak });
    const { throttling, leadIn, idleNsPerS, isQuiet } = FIRST;
    expect(merged).toMatchObject({ openedNs, windowNs, system, throttling });
    expect(merged).toMatchObject({ leadIn, idleNsPerS, isQuiet });
    const blocks = [70, 65].map((answers) => ({ cpuNs: 4e8, answers, chargedNs: 5e8, ns: 6e8 }));
    expect(merged.blocks).toEqual(blocks);
  });

  test('has any cap that was reached, and the turns of the busiest, wherever it stands', () => {
    expect(merged.warmupCapped).toBe(false);
    expect(mergeMeasurements(FIRST, { ...OTHER, warmupCapped: true }).warmupCapped).toBe(true);
    expect(merged.turns).toEqual(OTHER.turns);
    expect(mergeMeasurements(OTHER, FIRST).turns).toEqual(OTHER.turns);
  });
});
