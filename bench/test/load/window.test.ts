/** When a window closes: by the clock, or by the answers that have come in it. */
import { describe, expect, test } from 'vitest';
import type { Measurement } from '../../src/load/measurement.ts';
import { GeneratorPool } from '../../src/load/pool.ts';
import type { ClosedOrder } from '../../src/load/protocol.ts';
import { measureTogether } from '../../src/load/together.ts';
import { ownPlace } from '../support/leftovers.ts';
import { BODY, closedOrder, serveHere } from './servers.ts';

ownPlace();

const CONNECTIONS = 10;
const PIPELINING = 4;
/** What may come in the turn in which the last awaited answer comes. */
const PLACES = CONNECTIONS * PIPELINING;
const LONG_NS = 60e9;

describe('a window that ends by a count', () => {
  const AT_ONCE = { when: 'at once' } as const;

  test.each([
    ['all are answered', {}],
    ['it opens at once', { opening: AT_ONCE }],
    ['the generator never sleeps', { turnNs: 2e6 }],
  ])('closes as soon as so many answers have come, where %s', async (_when, changes) => {
    await using server = await serveHere((response) => response.end(BODY));
    const { window, windowNs, halfway } = await measured(server.origin, 1, {
      ...{ pipelining: PIPELINING, window: { ns: LONG_NS, answers: 1000 } },
      ...changes,
    });
    expect(windowNs).toBeLessThan(LONG_NS / 2);
    expectWithin(window.ok, 1000, 1000 + PLACES);
    expectWithin(halfway?.ok ?? 0, 500, 500 + PLACES);
    expect(halfway?.ns).toBeLessThan(windowNs);
  });

  test('counts answers that are not as declared', async () => {
    let count = 0;
    await using server = await serveHere((response) => {
      if (count % 3 === 1) response.statusCode = 500;
      response.end(count++ % 3 === 2 ? 'Goodbye World!' : BODY);
    });
    const { window } = await measured(server.origin, 1, {
      window: { ns: LONG_NS, answers: 300 },
    });
    const { ok, wrongStatus, wrongBody } = window;
    expect(Math.min(ok, wrongStatus, wrongBody)).toBeGreaterThan(50);
    expectWithin(ok + wrongStatus + wrongBody, 300, 300 + CONNECTIONS);
  });

  test('closes with the last answer that it waits for, though none comes after it', async () => {
    let count = 0;
    await using server = await serveHere((response) => {
      if (++count <= 100) response.end(BODY);
    });
    const { window, windowNs, ledger } = await measured(server.origin, 1, {
      ...{ opening: AT_ONCE, window: { ns: LONG_NS, answers: 100 }, timeoutNs: LONG_NS },
    });
    expect(windowNs).toBeLessThan(LONG_NS / 2);
    expect(window.ok).toBe(100);
    expect(ledger).toMatchObject({ ok: 100, inFlight: CONNECTIONS });
  });

  test('closes by the clock where too few come', async () => {
    let count = 0;
    await using server = await serveHere((response) => {
      if (++count <= 30) response.end(BODY);
    });
    const { window, windowNs } = await measured(server.origin, 1, {
      ...{ opening: AT_ONCE, window: { ns: 0.3e9, answers: 1000 } },
    });
    expect(window.ok).toBe(30);
    expect(windowNs).toBeGreaterThanOrEqual(0.3e9);
  });

  test('has its answers dealt to several generators', async () => {
    await using server = await serveHere((response) => response.end(BODY));
    const { window, windowNs, generators } = await measured(server.origin, 3, {
      window: { ns: LONG_NS, answers: 1000 },
    });
    expect(generators).toBe(3);
    expect(windowNs).toBeLessThan(LONG_NS / 2);
    expectWithin(window.ok, 1000, 1000 + CONNECTIONS);
  });
});

/** What so many generators measure of a closed loop. */
async function measured(
  origin: string,
  generators: number,
  changes: Partial<ClosedOrder>,
): Promise<Measurement> {
  await using pool = new GeneratorPool();
  const all = await pool.take(Array.from({ length: generators }, () => null));
  const order = closedOrder(origin, { connections: CONNECTIONS, ...changes });
  const outcome = await measureTogether(all, order, new AbortController().signal);
  if (outcome.kind === 'measured') return outcome.measurement;
  throw new Error(`it ended with ${JSON.stringify(outcome)}`);
}

function expectWithin(value: number, least: number, most: number): void {
  expect(value).toBeGreaterThanOrEqual(least);
  expect(value).toBeLessThanOrEqual(most);
}
