import { minus, plus } from '../math/counters.ts';
import { readCpu } from '../system/usage.ts';
import type { Measurement } from './measurement.ts';
import type { Read } from './protocol.ts';
import { READ_HERE, type Readings, type ServerCounters } from './readings.ts';

/** What is counted of processes and of the system. */
type Counters = ServerCounters & Pick<Measurement, 'cpu'>;

/** What processes and system have used by one edge of the window. */
export interface CounterSnapshot {
  atNs: number;
  counters: Counters;
}

/** Reads everything, the server first. The generator is this process, and what else sends for it. */
export async function takeSnapshot(
  atNs: number,
  read: Read,
  senders: readonly number[],
  { isTurn = false, readings = READ_HERE }: { isTurn?: boolean; readings?: Readings } = {},
): Promise<CounterSnapshot> {
  const reading = readings.counters(read, isTurn);
  const own = readCpu([process.pid, ...senders]);
  const [counters, generator] = await Promise.all([reading, own]);
  return { atNs, counters: { ...counters, cpu: { ...counters.cpu, generator } } };
}

/** What was used inside a window. */
export type Used = Counters & Pick<Measurement, 'openedNs' | 'windowNs'>;

/** What was used from one edge of the window to the other. */
export function usedBetween(opened: CounterSnapshot, closed: CounterSnapshot): Used {
  return {
    openedNs: opened.atNs,
    windowNs: closed.atNs - opened.atNs,
    ...minus(closed.counters, opened.counters),
  };
}

/** What was used in two windows together. */
export function addUsed(a: Used, b: Used): Used {
  return { ...plus(a, b), openedNs: a.openedNs };
}
