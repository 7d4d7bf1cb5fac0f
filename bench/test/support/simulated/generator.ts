import type { ServerSpec } from '../../../src/launch/server.ts';
import { type Generator, GeneratorError } from '../../../src/load/generator.ts';
import type { Measurement } from '../../../src/load/measurement.ts';
import type {
  BatchWindow,
  Command,
  EndlessOrder,
  Interleaving,
  Order,
  Outcome,
  Reply,
} from '../../../src/load/protocol.ts';
import { PERIOD_NS, type Throttling } from '../../../src/system/control-groups.ts';
import { makeMeasurement } from '../make-record.ts';
import type { SimulatedClock } from './clock.ts';
import type { SimulatedServer } from './server.ts';

export interface GeneratorModel {
  /** CPU time that the generator needs for a request, ns. */
  cpuNs: number;
  /** Standard deviation of the log of the cost of a request, from slice to slice or turn to turn. */
  noise: number;
  /** Hangs or dies after it has replied to this many orders and batches. */
  fails: { afterOrders: number; how: 'hangs' | 'dies' } | null;
  /** How many generators fail; those that are started later don't. */
  failing: number;
}

export const PROMPT: GeneratorModel = { cpuNs: 1000, noise: 0, fails: null, failing: Infinity };

type AnyOrder = Order | EndlessOrder;

interface GeneratorWorld {
  clock: SimulatedClock;
  model: GeneratorModel;
  normal: () => number;
  serverAt: (origin: string) => SimulatedServer;
  /** The number of cores that a server can use. */
  coresFor: (server: SimulatedServer) => number;
}

/** A generator that sends nothing: what it measures is computed from the models. */
export function simulateGenerator(world: GeneratorWorld, onEnd: () => void): Generator {
  const { clock, model } = world;
  const self = Symbol('generator');
  let replies = 0;
  let current: AnyOrder | null = null;
  let stopped = new AbortController();
  const reply = async (): Promise<void> => {
    if (model.fails === null || ++replies <= model.fails.afterOrders) return;
    if (model.fails.how === 'hangs') await new Promise(() => {});
    throw new GeneratorError('the load generator ended with SIGKILL', '');
  };
  /** Lets time go by. @throws when the generator is stopped meanwhile. */
  const pass = (ns: number) => clock.sleep(ns, stopped.signal);
  const prepare = async ({ origin }: Order): Promise<Reply> => {
    const server = world.serverAt(origin);
    if (!server.isRunning) return { kind: 'refused' };
    server.generators.add(self);
    try {
      await pass(OPENING_NS);
      return { kind: 'ready' };
    } catch (error) {
      server.generators.delete(self);
      throw error;
    }
  };
  const open = async (order: Order, atNs: number): Promise<Reply> => {
    await clock.sleep(atNs - clock.now());
    const openedNs = clock.now();
    const server = world.serverAt(order.origin);
    const seen = observe(order, order.window.ns, world);
    await pass(order.window.ns).finally(() => server.generators.delete(self));
    if (!server.isRunning) return { kind: 'refused' };
    const inFlight = order.kind === 'open' ? 0 : order.connections * order.pipelining;
    const measurement = measurementOf(order, [seen], { openedNs, inFlight }, world);
    return { kind: 'measured', measurement };
  };
  const interleave = async ({ orders, blocks, leadIn }: Interleaving): Promise<Outcome[]> => {
    const turns = orders.map((): Seen[] => []);
    const turnNs = (order: Order) => order.window.ns / blocks.length;
    const play = async (block: number[], isCounted: boolean) => {
      for (const place of block) {
        const [order, own] = [orders[place], turns[place]];
        if (!order || !own) throw new Error(`no order at ${place}`);
        const server = world.serverAt(order.origin);
        if (server.model.neverIdle || !server.isRunning) continue;
        // The extra work of turns that do not count is charged to nobody.
        if (isCounted) charge(own.at(-1), server);
        const turn = observe(order, turnNs(order), world);
        if (isCounted) own.push(turn);
        await pass(turnNs(order));
        server.worked(turn.ok + turn.wrongBody);
        if (!isCounted) server.takeExtra(clock.now());
      }
    };
    const charge = (turn: Seen | undefined, server: SimulatedServer) => {
      const extraNs = server.takeExtra(clock.now());
      if (turn === undefined) return;
      turn.chargedNs = turn.cpuNs + extraNs;
      turn.chargedForNs = clock.now() - turn.openedNs;
    };
    const hasSettled = ({ origin }: Order) => {
      const { isRunning, model, answered } = world.serverAt(origin);
      return !isRunning || model.neverIdle || answered >= leadIn.answers;
    };
    let leadInBlocks = 0;
    for (const block of leadIn.blocks) {
      if (orders.every(hasSettled)) break;
      await play(block, false);
      leadInBlocks++;
    }
    const openedNs = clock.now();
    for (const block of blocks) await play(block, true);
    await pass(orders.some(({ quietCapNs }) => quietCapNs > 0) ? QUIET_NS : 0);
    return orders.map((order, place): Outcome => {
      const server = world.serverAt(order.origin);
      if (server.model.neverIdle) return { kind: 'did not drain' };
      if (!server.isRunning) return { kind: 'refused' };
      const own = turns[place] ?? [];
      charge(own.at(-1), server);
      const measurement = measurementOf(order, own, { openedNs, inFlight: 0 }, world);
      const settling = {
        blocks: leadInBlocks,
        answers: server.answered,
        ns: leadInBlocks * turnNs(order),
        hasSettled: leadIn.blocks.length === 0 ? null : hasSettled(order),
      };
      const isQuiet = order.quietCapNs > 0 ? true : null;
      return { kind: 'measured', measurement: { ...measurement, isQuiet, leadIn: settling } };
    });
  };
  const batch = async (order: AnyOrder, { ns, answers }: BatchWindow): Promise<Reply> => {
    const server = world.serverAt(order.origin);
    const { perS } = paceOf(order, world);
    const tookNs = answers === null ? ns : Math.min(ns, (answers / perS) * 1e9);
    const { ok, wrongBody, cpuNs } = observe(order, tookNs, world, answers);
    await pass(tookNs);
    if (!server.isRunning) return { kind: 'refused' };
    const bytes = server.model.bytes * server.pids.length;
    return { kind: 'batch', batch: { answers: ok + wrongBody, ns: tookNs, cpuNs, bytes } };
  };
  const carryOut = async (command: Command): Promise<Reply> => {
    switch (command.kind) {
      case 'prepare':
        return await prepare(command.order);
      case 'interleave':
        return { kind: 'interleaved', outcomes: await interleave(command.interleaving) };
      case 'open':
        if (current === null || !('window' in current)) throw new Error('opened without an order');
        return await open(current, command.atNs);
      case 'batch':
        if (current === null) throw new Error('a batch without a load');
        return await batch(current, command.window);
      case 'end':
        await clock.sleep(CLOSING_NS);
        return { kind: 'ready' };
      case 'begin':
        return { kind: 'ready' };
    }
  };
  return {
    ask: async (command) => {
      if ('order' in command) current = command.order;
      if ('order' in command || command.kind === 'interleave') stopped = new AbortController();
      if (command.kind !== 'begin') await reply();
      const { signal } = stopped;
      try {
        return await carryOut(command);
      } catch (error) {
        if (!signal.aborted) throw error;
        if (command.kind !== 'interleave') return { kind: 'stopped' };
        const { orders } = command.interleaving;
        return { kind: 'interleaved', outcomes: orders.map(() => ({ kind: 'stopped' })) };
      }
    },
    stop: () => stopped.abort(),
    async [Symbol.asyncDispose]() {
      onEnd();
    },
  };
}

const OPENING_NS = 1e8;
const CLOSING_NS = 1e7;
const QUIET_NS = 1e9;
const TURN_NS = 800;

type Seen = ReturnType<typeof observe>;

/** How many requests/s are answered, what each costs, and how many generators share the server. */
function paceOf(order: AnyOrder, world: GeneratorWorld) {
  const server = world.serverAt(order.origin);
  const { costNs } = server;
  const capacity = (1e9 / costNs) * world.coresFor(server);
  const sharing = Math.max(1, server.generators.size);
  const most = Math.min(capacity / sharing, 1e9 / world.model.cpuNs);
  const wanted =
    order.kind === 'open' ? order.ratePerS : (order.connections * order.pipelining * 1e9) / costNs;
  return { perS: Math.min(wanted, most), costNs, sharing };
}

/** Lets a server answer for this long: `answers` requests, where given. */
function observe(order: AnyOrder, ns: number, world: GeneratorWorld, answers?: number | null) {
  const server = world.serverAt(order.origin);
  const { perS, costNs, sharing } = paceOf(order, world);
  const came = server.answer(answers ?? Math.max(1, Math.round((perS * ns) / 1e9)));
  const wrongBody = Math.round(came * server.model.wrongShare);
  // One of several generators alone reads what the server used for all of them.
  const read = order.pids.server.length > 0 ? sharing : 0;
  const cpuNs = read * came * costNs * Math.exp(world.model.noise * world.normal());
  const seen = {
    ns,
    ok: came - wrongBody,
    wrongBody,
    cpuNs,
    openedNs: world.clock.now(),
    // What the server used until its next turn, and how long that took.
    chargedNs: cpuNs,
    chargedForNs: ns,
  };
  if (order.kind === 'closed') {
    const latencyNs = (order.connections * order.pipelining * 1e9) / perS;
    return { ...seen, dropped: 0, latencyNs };
  }
  const dropped = Math.round((order.ratePerS * ns) / 1e9) - came;
  return { ...seen, dropped, latencyNs: costNs };
}

function measurementOf(
  order: Order,
  seen: Seen[],
  { openedNs, inFlight }: { openedNs: number; inFlight: number },
  world: GeneratorWorld,
): Measurement {
  const { model, spec } = world.serverAt(order.origin);
  const { pids } = order;
  const sum = (key: 'ns' | 'ok' | 'wrongBody' | 'cpuNs' | 'dropped') => {
    return seen.reduce((total, each) => total + each[key], 0);
  };
  const [ns, ok, wrongBody, cpuNs] = [sum('ns'), sum('ok'), sum('wrongBody'), sum('cpuNs')];
  // Where the window opens at once, all that waits at its end was sent in it.
  const isAtOnce = order.kind === 'closed' && order.opening.when === 'at once';
  const waitingMs = isAtOnce ? Array.from({ length: inFlight }, () => ns / 1e6) : [];
  const meanMs = seen.reduce((total, each) => total + each.latencyNs * each.ns, 0) / ns / 1e6;
  const latencyMs = isAtOnce ? Math.min(meanMs, ns / 1e6) : meanMs;
  const isOpen = order.kind === 'open';
  const service = { cpuNs: cpuNs / 4, waitNs: 0, bytes: 40e6 };
  const isLookedInto = order.firstThreadOf !== null;
  const { window, ...rest } = makeMeasurement({
    ...{ ok, wrongBody, openedNs, windowS: ns / 1e9, latenciesMs: [latencyMs] },
    inFlight,
    cpuUsPerResponse: cpuNs / (ok + wrongBody) / 1000,
    bytesPerResponse: model.bytesPerResponse,
    serverBytes: model.bytes * pids.server.length,
    workersCpuMs: pids.server.map(() => cpuNs / pids.server.length / 1e6),
    ...generatorIn(ns, (ok + wrongBody) * world.model.cpuNs, order),
    blocks: seen.map((each) => {
      const answers = each.ok + each.wrongBody;
      return { cpuNs: each.cpuNs, answers, chargedNs: each.chargedNs, ns: each.chargedForNs };
    }),
    idleNsPerS: order.idleNsPerS,
    inFlightAgesMs: waitingMs,
    lostAgesMs: [],
    services: Object.fromEntries(Object.keys(pids.services).map((name) => [name, service])),
    ...(isOpen ? { pace: { dropped: sum('dropped') } } : {}),
    throttling: order.group === null ? null : throttlingIn(ns, cpuNs, spec),
    system: {},
    requests: order.requests.length === 1 ? [] : byRequest(order.requests, ok),
    mainThread: isLookedInto ? { cpuNs, waitNs: 0, kernelNs: cpuNs / 5 } : null,
  });
  const sent = isOpen ? window.sent : ok + wrongBody + waitingMs.length;
  return { ...rest, window: { ...window, sent } };
}

/** The event loop turns of a generator that never sleeps, or the CPU time of one that does. */
function generatorIn(ns: number, busyNs: number, order: Order) {
  if (order.turnNs === null) return { generatorCpuMs: busyNs / 1e6 };
  const idleNs = Math.max(0, ns - busyNs);
  const turns = { all: Math.round(ns / TURN_NS), empty: Math.round(idleNs / TURN_NS), idleNs };
  return { turns, generatorCpuMs: ns / 1e6 };
}

/** A server that used up its CPU limit was throttled in every period. */
function throttlingIn(ns: number, cpuNs: number, { target }: ServerSpec): Throttling {
  const periods = Math.round(ns / PERIOD_NS);
  const isHeld = cpuNs > 0.95 * ns * (target.cpuLimit ?? Number.POSITIVE_INFINITY);
  return { periods, throttledPeriods: isHeld ? periods : 0, throttledNs: isHeld ? ns / 2 : 0 };
}

/** Answers by request, each as often as its weight says. */
function byRequest(requests: Order['requests'], ok: number): Measurement['requests'] {
  const all = requests.reduce((sum, { weight }) => sum + weight, 0);
  return requests.map(({ weight }) => {
    return { ok: Math.round((ok * weight) / all), wrongStatus: 0, wrongBody: 0 };
  });
}
