/** Servers within the test's own process, which counts what the generator can't know; orders and a generator for them. */
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import * as hdr from 'hdr-histogram-js';
import { sum } from 'simple-statistics';
import { afterAll, beforeAll, expect } from 'vitest';
import { z } from 'zod';
import { HOST } from '../../src/launch/server.ts';
import { SYSTEM_CLOCK } from '../../src/load/clock.ts';
import { fanOut } from '../../src/load/fan-out.ts';
import { type Generator, startGenerator } from '../../src/load/generator.ts';
import type { LedgerCounts, Measurement } from '../../src/load/measurement.ts';
import type { ClosedOrder, OpenOrder, Order, Reply } from '../../src/load/protocol.ts';
import { READ_HERE, type Readings } from '../../src/load/readings.ts';
import type { PaceTally } from '../../src/load/tally.ts';
import {
  type ExpectedExchange,
  textExchange,
  unverifiedExchange,
} from '../../src/targets/exchange.ts';
import { odd } from '../support/fixtures.ts';
import type { OwnPlace } from '../support/leftovers.ts';
import { eventually, startProgram } from '../support/processes.ts';

export const NEVER = new AbortController().signal;
export const BODY = 'Hello World!';
export const AT_ONCE = { opening: { when: 'at once' } } as const;
/** The usual opening of a closed order's window. */
export const ALL_ANSWERED = { when: 'all answered', capNs: 10e9, settleNs: 0, batch: 200 } as const;
/** No window of a test lasts so long. */
export const LONG = { window: { ns: 60e9 } };

export interface LocalServer extends AsyncDisposable {
  readonly origin: string;
  readonly port: number;
  /** Requests that reached it. */
  readonly requests: number;
  /** All that were ever made. */
  readonly connections: Set<Socket>;
}

type Handle = (response: ServerResponse, request: IncomingMessage, count: number) => void;

/** Serves with this handler, which is told how many requests came before, until it is disposed of. */
export async function serveHere(handle: Handle): Promise<LocalServer> {
  let requests = 0;
  const connections = new Set<Socket>();
  const server = createServer((request, response) => handle(response, request, requests++));
  server.on('connection', (socket) => connections.add(socket));
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  const { port } = z.object({ port: z.int() }).parse(server.address());
  return {
    origin: `http://${HOST}:${port}`,
    port,
    get requests() {
      return requests;
    },
    connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const serveAll = () => serveHere((response) => response.end(BODY));

/** Tells the handler of how many requests came before on the same connection. */
export function serveByConnection(handle: Handle): Promise<LocalServer> {
  const counts = new WeakMap<Socket, number>();
  return serveHere((response, request) => {
    const count = counts.get(request.socket) ?? 0;
    counts.set(request.socket, count + 1);
    handle(response, request, count);
  });
}

/** A server in a process of its own that is odd in this way, and prints its port first. */
export async function startOdd(way: string) {
  const [, ...args] = odd(way);
  const program = startProgram(process.execPath, ...args);
  const [printed] = await once(program.stdout, 'data');
  const port = z.coerce.number().int().positive().parse(String(printed));
  return { ...program, origin: `http://${HOST}:${port}` };
}

/** Waits until this holds. */
export async function until(holds: () => boolean, timeoutMs = 20_000): Promise<void> {
  expect(await eventually(holds, timeoutMs)).toBe(true);
}

/** Waits until a load is on this server. */
export async function untilLoaded(server: LocalServer): Promise<void> {
  await until(() => server.requests > 10);
}

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

/** The bytes of one response on a connection that stays open, head and body. */
export async function bytesOfResponse(port: number): Promise<number> {
  const [response] = await once(get({ host: HOST, port }), 'response');
  const { socket } = response;
  await text(response);
  return socket.bytesRead;
}

/** Readings by which a server has used as much CPU time as this says, ns. */
export function readingsOf(serverCpuNs: () => number): Readings {
  const turnCounters: Readings['turnCounters'] = async (sources) => {
    const server = { cpuNs: serverCpuNs(), waitNs: 0 };
    const counters = await READ_HERE.turnCounters(sources);
    return { ...counters, cpu: { ...counters.cpu, server } };
  };
  return { ...READ_HERE, turnCounters };
}

/** Where nobody listens. */
export async function closedOrigin(): Promise<string> {
  const server = await serveHere(() => {});
  await server[Symbol.asyncDispose]();
  return server.origin;
}

/** A generator without a process, which replies by this. */
export function fakeGenerator(ask: Generator['ask'], stop = () => {}): Generator {
  return { ask, stop, async [Symbol.asyncDispose]() {} };
}

/** What this generator comes to with an order. */
export function carryOutBy(generator: Generator, order: Order, stopped = NEVER): Promise<Reply> {
  return fanOut([generator], order, stopped, SYSTEM_CLOCK);
}

/** A generator process for all tests of a file, from the first one on. */
export function shareGenerator(place: OwnPlace) {
  let generator: Generator;
  beforeAll(async () => {
    generator = await startGenerator(null);
    place.keep();
  });
  afterAll(() => generator[Symbol.asyncDispose]());
  return {
    get generator() {
      return generator;
    },
    carryOut: (order: Order, stopped?: AbortSignal) => carryOutBy(generator, order, stopped),
    /** What is measured by this order. */
    measure: async (order: Order) => measuredIn(await carryOutBy(generator, order)),
  };
}

/** The measurement that is the reply. */
export function measuredIn(reply: Reply | undefined): Measurement {
  if (reply?.kind === 'measured') return reply.measurement;
  throw new Error(`the generator replied ${JSON.stringify(reply)}`);
}

export function latenciesOf({ latencyHistogram }: Measurement): hdr.Histogram {
  return hdr.decodeFromCompressedBase64(latencyHistogram);
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
