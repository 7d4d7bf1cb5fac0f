import { expect, test } from 'vitest';
import { leastResponse, mostThroughput } from '../../src/math/bounds.ts';

const MS = 1e6;

test.each([
  // One server answers ten a second, two answer twenty, however many wait.
  { servers: 1, inFlight: 1, perS: 10, responseMs: 100 },
  { servers: 2, inFlight: 8, perS: 20, responseMs: 400 },
  { servers: 2, inFlight: 10_000, perS: 20, responseMs: 500_000 },
  // Idle servers add nothing, and no request takes less than its service.
  { servers: 4, inFlight: 3, perS: 30, responseMs: 100 },
  { servers: 4, inFlight: 4, perS: 40, responseMs: 100 },
  { servers: 4, inFlight: 6, perS: 40, responseMs: 150 },
])('requests of 100 ms, $inFlight at $servers servers', ({ perS, responseMs, ...queue }) => {
  const at = (serviceNs: number) => ({ ...queue, serviceNs });
  const [most, least] = [mostThroughput(at(100 * MS)), leastResponse(at(100 * MS))];
  expect([most, least / MS]).toEqual([expect.closeTo(perS, 9), expect.closeTo(responseMs, 9)]);
  // Little's law holds at both bounds, and both scale with the service time.
  expect((most * least) / 1e9).toBeCloseTo(queue.inFlight, 6);
  expect(mostThroughput(at(10 * MS))).toBeCloseTo(10 * perS, 6);
  expect(leastResponse(at(10 * MS)) / MS).toBeCloseTo(responseMs / 10, 6);
});
