/** What tests of load expect of counts, times and bytes. */
import { once } from 'node:events';
import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { sum } from 'simple-statistics';
import { expect } from 'vitest';
import { HOST } from '../../src/launch/server.ts';
import type { LedgerCounts } from '../../src/load/measurement.ts';
import type { PaceTally } from '../../src/load/tally.ts';
import { eventually } from '../support/processes.ts';

/** Waits until this holds. */
export async function until(holds: () => boolean, timeoutMs = 20_000): Promise<void> {
  expect(await eventually(holds, timeoutMs)).toBe(true);
}

/** The bytes of one response on a connection that stays open, head and body. */
export async function bytesOfResponse(port: number): Promise<number> {
  const [response] = await once(get({ host: HOST, port }), 'response');
  const { socket } = response;
  await text(response);
  return socket.bytesRead;
}

const NONE = { ok: 0, wrongStatus: 0, wrongBody: 0, timedOut: 0, disconnected: 0, inFlight: 0 };

/** The ledger of these requests alone, which adds up. */
export function ledgerOf({ sent: _, ...counts }: Partial<LedgerCounts>): LedgerCounts {
  const ends = { ...NONE, ...counts };
  return { ...ends, sent: sum(Object.values(ends)) };
}

/** Each request that was sent is in the ledger once, by what became of it. */
export function expectToAddUp(ledger: LedgerCounts): void {
  expect(ledger).toEqual(ledgerOf(ledger));
}

/** Each planned request of a tally that is closed is counted once, and has its times. */
export function expectComplete(tally: PaceTally): void {
  const { counts, inFlight, planned, dropped, latency, ages, lateness } = tally;
  expect(planned).toBe(counts.sent + dropped);
  expectToAddUp({ ...counts, inFlight });
  expect(latency.totalCount).toBe(counts.ok);
  expect(ages.lost.totalCount).toBe(counts.timedOut + counts.disconnected);
  expect(ages.inFlight.totalCount).toBe(inFlight);
  expect(lateness.totalCount).toBe(planned);
}

export function expectWithin(value: number | undefined, least: number, most: number): void {
  expect(value).toBeGreaterThanOrEqual(least);
  expect(value).toBeLessThanOrEqual(most);
}
