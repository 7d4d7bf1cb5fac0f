/** Which blocks of an interleaving count, by a fake generator. */
import { describe, expect, test } from 'vitest';
import { hasSettled, isSteady, settledFrom, type Turn } from '../../src/load/blocks.ts';
import { measureInterleaving } from '../../src/load/measure.ts';
import type { Outcome, Reply } from '../../src/load/protocol.ts';
import { NO_LEAD_IN } from '../../src/plan/draw.ts';
import { SINGLE } from '../support/fixtures.ts';
import { makeMeasurement, makeTarget } from '../support/make-record.ts';
import { SimulatedClock } from '../support/simulated/clock.ts';
import { HEALTHY, SimulatedServer } from '../support/simulated/server.ts';
import { fakeGenerator, NEVER } from './generators.ts';
import { closedOrder } from './orders.ts';

/** Turns with this many answers each, at these CPU times per request, µs. */
function turns(us: number[], answers = 1000): Turn[] {
  return us.map((each) => ({ answers, cpuNs: each * 1000 * answers }));
}

/** This many turns that cost the same. */
function many(count: number, us = 50): number[] {
  return Array.from({ length: count }, () => us);
}

describe('a server has settled, over eight blocks and the eight before them:', () => {
  test.each<[string, Turn[], boolean]>([
    ['not before there are as many', turns(many(15)), false],
    ['where they cost the same', turns(many(16)), true],
    ['not where the last are 2.1 % cheaper', turns([...many(8, 100), ...many(8, 97.9)]), false],
    ['where they are 1.9 % cheaper', turns([...many(8, 100), ...many(8, 98.1)]), true],
    ['where they are dearer', turns([...many(8, 100), ...many(8, 140)]), true],
    ['not with one left that was dear', turns([...many(20, 500), ...many(15)]), false],
    ['whatever those before them cost', turns([...many(20, 500), ...many(16)]), true],
    // 8 × 50 against 7 × 50 + 54.
    ['where one of the first was disturbed', turns([54, ...many(15)]), true],
    // 7,000 requests at 100 µs and 90 at 10 µs are 98.9 µs per request, and with 1,000 at 10 µs 88.75 µs.
    ['where one with few answers is cheap', [...turns(many(15, 100)), ...turns([10], 90)], true],
    ['not where one with many is', [...turns(many(15, 100)), ...turns([10], 1000)], false],
  ])('%s', (_when, all, isSettled) => {
    expect(isSteady(all, 8)).toBe(isSettled);
  });
});

describe('a server was steady at some time after 16,000 answers:', () => {
  test.each<[string, Turn[], boolean]>([
    ['not without blocks', [], false],
    ['not with fewer answers', turns(many(40), 390), false],
    ['with as many', turns(many(40), 400), true],
    ['though it looks unsteady later', turns([...many(16), 49, 48, 47, 46]), true],
    ['not where it was steady only before', turns([...many(16), ...many(8, 40)], 700), false],
    ['not where it has always become cheaper', turns(many(40).map((us, at) => us - at)), false],
  ])('%s', (_when, all, isSettled) => {
    expect(hasSettled(all, { answers: 16_000, span: 8 })).toBe(isSettled);
  });
});

describe('the turn from which on a server had settled', () => {
  const seldom = Array.from({ length: 40 }, (_, turn) => (turn % 5 === 0 ? 150 : 50));

  test.each<[string, number[], number]>([
    ['is the first where turns cost alike', many(30), 0],
    ['is the first where they are too few to tell', [...many(10, 100), ...many(10)], 0],
    // From place 7 on four of seven have settled: the three before them are still dear.
    ['comes after ones that are 6 % dearer', [...many(10, 53), ...many(30)], 10],
    ['is the first where those are 4 % dearer', [...many(10, 52), ...many(30)], 0],
    ['is the first where some are dear later', [...many(15), ...many(7, 100), ...many(18)], 0],
    ['is the first where only that is dear', [200, ...many(39)], 0],
    ['is the first where some are dear now and then', seldom, 0],
  ])('%s', (_what, us, place) => {
    expect(settledFrom(turns(us))).toBe(place);
  });
});

/** What was measured of each of this many servers, or why nothing was, after this reply. */
async function interleaved(count: number, reply: Reply) {
  const spec = {
    ...{ key: 'app/single', target: makeTarget('app'), topology: SINGLE },
    ...{ address: '127.0.0.1', port: 1, services: [] },
  };
  const server = new SimulatedServer(spec, HEALTHY, new SimulatedClock()).running();
  const members = Array(count).fill({ server, order: closedOrder(server.origin) });
  const generator = fakeGenerator(async () => reply);
  const plan = { blocks: [[...members.keys()]], leadIn: NO_LEAD_IN };
  const all = await measureInterleaving(members, plan, [generator], { soon: NEVER, now: NEVER });
  return all.map(({ measured }) => {
    return measured.state === 'measured' ? measured.measurement : measured.state;
  });
}

describe('blocks before a server had settled', () => {
  /** A server whose turns cost so many µs a request, and which had warmed up before. */
  function server(us: number[], hasSettled: boolean | null = true): Outcome {
    const blocks = turns(us).map((turn) => ({ ...turn, ns: 1e8 }));
    const measurement = { ...makeMeasurement({ ok: 1, blocks, hasSettled }), openedNs: 5e9 };
    return { kind: 'measured', measurement };
  }

  const counted = (...outcomes: Outcome[]) => {
    return interleaved(outcomes.length, { kind: 'interleaved', outcomes });
  };
  const LATE = [...many(10, 100), ...many(30)];

  test('are warm-up for all of them, and time counts from their end', async () => {
    const all = await counted(server(many(40)), { kind: 'did not drain' }, server(LATE));
    const leadIn = { blocks: 10, answers: 10_000, hasSettled: true };
    const own = { blocks: { length: 30 }, leadIn, openedNs: 5e9 + 10 * 1e8 };
    expect(all).toMatchObject([own, 'did not drain', own]);
  });

  test('leave a server unsettled that takes longer than half of them, and the others theirs', async () => {
    const all = await counted(server([...many(25, 100), ...many(15)]), server(many(40)));
    const other = { leadIn: { hasSettled: true }, blocks: { length: 40 } };
    expect(all).toMatchObject([{ leadIn: { hasSettled: false } }, other]);
  });

  test.each([
    ['count where nothing warms up', LATE, null],
    ['are as the lead-in told where they are too few', [...many(10, 100), ...many(10)], false],
  ])('%s', async (_what, us, hasSettled) => {
    const own = { blocks: { length: us.length }, leadIn: { hasSettled } };
    expect(await counted(server(us, hasSettled))).toMatchObject([own]);
  });
});

test.each<[Reply, string]>([
  [{ kind: 'failed', message: 'it broke' }, 'the load generator failed: it broke'],
  [{ kind: 'ready' }, 'the load generator failed: it said "ready"'],
])('a generator that replies %j has failed', async (reply, message) => {
  await expect(interleaved(1, reply)).rejects.toThrow(message);
});
