import { expect, test } from 'vitest';
import { measureRoundTrip } from '../../src/load/round-trip.ts';
import { closedOrigin, serveAll } from './servers.ts';

test('a handshake takes some time, and asks nothing of the server', async () => {
  await using server = await serveAll();
  const { leastNs, medianNs, p95Ns } = await measureRoundTrip(server.origin);
  expect(leastNs).toBeGreaterThan(1000);
  expect(medianNs).toBeGreaterThanOrEqual(leastNs);
  expect(p95Ns).toBeGreaterThanOrEqual(medianNs);
  expect(server.requests).toBe(0);
});

test('where nobody listens it fails', async () => {
  await expect(measureRoundTrip(await closedOrigin())).rejects.toThrow('ECONNREFUSED');
});
