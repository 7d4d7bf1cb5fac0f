/** Orders for short slices on servers of this process. */
import type { ClosedOrder, OpenOrder } from '../../src/load/protocol.ts';
import {
  type ExpectedExchange,
  textExchange,
  unverifiedExchange,
} from '../../src/targets/exchange.ts';
import { BODY } from './servers.ts';

export const AT_ONCE = { opening: { when: 'at once' } } as const;
/** The usual opening of a closed order's window. */
export const ALL_ANSWERED = { when: 'all answered', capNs: 10e9, settleNs: 0, batch: 200 } as const;
/** No window of a test lasts so long. */
export const LONG = { window: { ns: 60e9 } };

/** An order for a short slice of a closed loop of ten connections, unless told otherwise. */
export function closedOrder(origin: string, changes: Partial<ClosedOrder> = {}): ClosedOrder {
  return {
    kind: 'closed',
    ...sharedOf(origin),
    connections: 10,
    pipelining: 1,
    window: { ns: 0.2e9 },
    opening: ALL_ANSWERED,
    quietCapNs: 0,
    wholeRounds: false,
    ...changes,
  };
}

/** An order for a short slice at a rate, unless told otherwise. */
export function openOrder(origin: string, changes: Partial<OpenOrder> = {}): OpenOrder {
  return {
    kind: 'open',
    ...sharedOf(origin),
    driver: 'pacer',
    ratePerS: 200,
    connections: 100,
    leastConnections: 1,
    window: { ns: 0.5e9 },
    ...changes,
  };
}

/** This answer to a plain request, of this path and weight. */
export function expectedExchange(body: string, path = '/', weight = 1): ExpectedExchange {
  return { ...unverifiedExchange(textExchange(body, { path })), weight };
}

/** Three requests, of which the first comes twice in each round; the answer to each is its name. */
export const THREE = [
  expectedExchange('a', '/a', 2),
  expectedExchange('b', '/b'),
  expectedExchange('c', '/c'),
];

export const pidsOf = (...server: number[]) => {
  return { server, manager: [], harness: [], services: {} };
};
/** A server with a pid above the largest that Linux can give. */
export const GONE = pidsOf(2 ** 22 + 1);

function sharedOf(origin: string) {
  return {
    origin,
    requests: [expectedExchange(BODY)],
    timeoutNs: 10e9,
    drainCapNs: 2e9,
    idleNsPerS: 0,
    turnNs: null,
    group: null,
    firstThreadOf: null,
    pids: pidsOf(process.pid),
  };
}
