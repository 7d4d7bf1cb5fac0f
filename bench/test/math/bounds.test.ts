import { describe, expect, test } from 'vitest';
import { leastResponse, mostThroughput, type Queue, serversOf } from '../../src/math/bounds.ts';

const MS = 1e6;

test('as many requests are served at once as there are processes that find a core', () => {
  expect(serversOf(1, 4)).toBe(1);
  expect(serversOf(4, 4)).toBe(4);
  expect(serversOf(8, 2)).toBe(2);
});

describe('of a request that takes 100 ms', () => {
  const queue = (servers: number, inFlight: number): Queue => {
    return { serviceNs: 100 * MS, servers, inFlight };
  };

  test.each([
    // One server answers ten a second, two answer twenty, however many wait.
    { servers: 1, inFlight: 1, perS: 10, responseMs: 100 },
    { servers: 1, inFlight: 8, perS: 10, responseMs: 800 },
    { servers: 2, inFlight: 8, perS: 20, responseMs: 400 },
    { servers: 2, inFlight: 10_000, perS: 20, responseMs: 500_000 },
    // Servers that nobody asks add nothing, and no request takes less than its service.
    { servers: 4, inFlight: 1, perS: 10, responseMs: 100 },
    { servers: 4, inFlight: 3, perS: 30, responseMs: 100 },
    { servers: 4, inFlight: 4, perS: 40, responseMs: 100 },
    { servers: 4, inFlight: 6, perS: 40, responseMs: 150 },
  ])('with $servers at work of $inFlight under way', ({ servers, inFlight, perS, responseMs }) => {
    expect(mostThroughput(queue(servers, inFlight))).toBeCloseTo(perS, 9);
    expect(leastResponse(queue(servers, inFlight))).toBeCloseTo(responseMs * MS, 3);
  });

  test.each([1, 3, 4, 50])("keeps Little's law at both bounds with %d under way", (inFlight) => {
    const both = queue(4, inFlight);
    expect((mostThroughput(both) * leastResponse(both)) / 1e9).toBeCloseTo(inFlight, 9);
  });
});

test('both bounds scale with the service time', () => {
  const queue = { servers: 2, inFlight: 100 };
  expect(mostThroughput({ ...queue, serviceNs: 20_000 })).toBeCloseTo(100_000, 6);
  expect(leastResponse({ ...queue, serviceNs: 20_000 })).toBeCloseTo(1 * MS, 6);
});
