import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { variantOf } from '../../../src/launch/provide.ts';
import type { NotReady, ReadyServers } from '../../../src/launch/ready.ts';
import type { RunningServer } from '../../../src/launch/server.ts';
import type { LaunchSession } from '../../../src/launch/session.ts';
import type { Arrangement } from '../../../src/plan/plan.ts';
import type { Backend } from '../../../src/run/backend.ts';
import type { RunningService } from '../../../src/services/index.ts';
import type { Machine } from '../../../src/system/machine.ts';
import { payloadOf } from '../../../src/targets/exchange.ts';
import { servicesOf } from '../../../src/targets/targets.ts';
import { makeMachine } from '../make-record.ts';
import { normal } from '../simulation.ts';
import { SimulatedClock } from './clock.ts';
import { type GeneratorModel, PROMPT, simulateGenerator } from './generator.ts';
import { watched } from './profile.ts';
import { HEALTHY, type ServerModel, type SimulatedServer, simulateServer } from './server.ts';

/** What is simulated; by default everything goes well. */
export interface World {
  /** Of all random numbers. */
  seed?: number;
  machine?: Partial<Machine>;
  isExposed?: boolean;
  /** The server of a target in a launch, from 0. */
  server?: (target: string, topology: string, launch: number) => Partial<ServerModel>;
  generator?: Partial<GeneratorModel>;
  /** How many times as much a request costs in this arrangement. */
  arrangement?: (kind: Arrangement) => number;
  /** Why a service does not start; null if it does. */
  serviceFails?: (name: string) => string | null;
  /** The lifetime of a service in a launch, from 0, ns. */
  serviceLivesNs?: (name: string, launch: number) => number;
}

export interface SimulatedBackend extends Backend {
  clock: SimulatedClock;
  /** The launch sessions, servers and generators that were started and have not ended. */
  left(): string[];
}

const START_NS = 5e8;
const PROBE_NS = 1e9;
const IDLE_NS = 1e9;
const SERVICE_IDLE_NS_PER_S = 1e6;
const FIRST_PORT = 20_000;

/** A backend in which no process runs. What happens depends on the description of its world alone. */
export function simulatedBackend(world: World = {}): SimulatedBackend {
  const clock = new SimulatedClock();
  const random = xoroshiro128plus(world.seed ?? 1);
  const machine = makeMachine(world.machine);
  const servers = new Map<string, SimulatedServer>();
  const left = new Set<string>();
  let launch = -1;
  let port = FIRST_PORT;
  let started = 0;

  const serverAt = (origin: string): SimulatedServer => {
    const server = servers.get(origin);
    if (server === undefined) throw new Error(`nobody serves at ${origin}`);
    return server;
  };

  const modelOf = (target: string, topology: string, inLaunch: number): ServerModel => {
    return { ...HEALTHY, ...world.server?.(target, topology, inLaunch) };
  };

  const startLaunches = (signal: AbortSignal): LaunchSession => {
    const session = `session ${++started}`;
    left.add(session);
    return {
      pids: [],
      otherRuns: () => [],
      exposedPorts: (pids) => (world.isExposed && pids.length > 0 ? [FIRST_PORT] : []),
      start: async ({ servers: wanted, services: planned, unverified }) => {
        launch++;
        await clock.sleep(START_NS, signal);
        const services: RunningService[] = [];
        const failedServices: ReadyServers['failedServices'] = [];
        for (const { name, targets: needing } of planned) {
          const own = wanted.filter(({ target }) => needing.includes(target.name));
          if (own.length === 0) continue;
          const message = world.serviceFails?.(name) ?? null;
          if (message !== null) {
            const servers = own.map(({ key }) => key);
            failedServices.push({ name, message, logTail: [], servers });
            continue;
          }
          const endsNs = clock.now() + (world.serviceLivesNs?.(name, launch) ?? Infinity);
          services.push({
            ...{ name, version: '1.2.3', pids: [], environment: {}, logTail: () => [] },
            failure: () => (clock.now() < endsNs ? null : 'its process died'),
          });
        }
        const ready = new Map<string, RunningServer>();
        const notReady: NotReady[] = [];
        const own: SimulatedServer[] = [];
        for (const { key, target, topology } of wanted) {
          const needs = servicesOf(target);
          if (failedServices.some((each) => needs.includes(each.name))) continue;
          const model = modelOf(target.name, topology.id, launch);
          const { failsAt } = model;
          if (failsAt !== null && (failsAt.when === 'start' || !unverified?.includes(key))) {
            notReady.push({ server: key, logTail: [], died: false, ...failsAt });
            continue;
          }
          const given = services.filter((each) => needs.includes(each.name));
          const listening = { address: '127.0.0.1', port: ++port };
          const spec = { key, target, topology, ...listening, services: given };
          const server = simulateServer(spec, model, clock);
          servers.set(server.origin, server);
          left.add(server.origin);
          own.push(server);
          ready.set(key, server.running());
        }
        return {
          ...{ servers: ready, notReady, services, failedServices },
          async [Symbol.asyncDispose]() {
            for (const { origin } of own) {
              servers.delete(origin);
              left.delete(origin);
            }
          },
        };
      },
      probe: async (target, status) => {
        await clock.sleep(PROBE_NS, signal);
        const { cpuNs, bytesPerResponse: bytes } = modelOf(target.name, 'single', 0);
        const sample = payloadOf(Buffer.from('Hello World!'));
        const body = { kind: 'bytes', bytes: sample } as const;
        const requests = target.requests.map((exchange) => {
          if (!target.hidesRequests) return exchange;
          return { ...exchange, expect: { status: status ?? 200, headers: {}, body } };
        });
        return {
          ...{ target: { ...target, requests }, samples: requests.map(() => sample) },
          ...{ serviceNs: cpuNs, cpuNs, bytes, pipelines: true },
        };
      },
      readMemory: async (pids) => pids.length * HEALTHY.bytes,
      async [Symbol.asyncDispose]() {
        left.delete(session);
      },
    };
  };

  return {
    clock,
    describeMachine: async () => machine,
    requireLimits: () => {},
    buildTargets: async () => {},
    provideRuntimes: async (asked) => {
      return asked.map(({ kind, version }) => {
        return { kind, version: version ?? '1.2.3', program: `/simulated/${kind}` };
      });
    },
    provideVariant: async (change) => variantOf(change, change.version),
    checkOut: async ({ folder, revision }) => {
      const name = `${folder} at ${revision}`;
      left.add(name);
      return { folder, [Symbol.asyncDispose]: async () => void left.delete(name) };
    },
    inspectHosts: async () => [],
    startLaunches,
    startGenerator: async () => {
      const name = `generator ${++started}`;
      left.add(name);
      const model = { ...PROMPT, ...world.generator };
      return simulateGenerator(
        {
          clock,
          model: started > model.failing ? { ...model, fails: null } : model,
          normal: () => normal(random),
          serverAt,
          coresFor: ({ spec: { topology, target } }) => {
            const { length } = machine.cores;
            return Math.min(topology.processes, length, target.cpuLimit ?? length);
          },
        },
        () => left.delete(name),
      );
    },
    startSeries: () => ({ stop: async () => [] }),
    measureIdle: async (all, signal) => {
      await clock.sleep(IDLE_NS, signal);
      const uses = all.map((each): [typeof each, number] => {
        const server = [...servers.values()].find(({ pids }) => pids === each.pids);
        server?.takeExtra(clock.now());
        return [each, server?.model.idleNsPerS ?? SERVICE_IDLE_NS_PER_S];
      });
      return new Map(uses);
    },
    arrange: async (kind, { server: { origin }, isSampledInOthers, onWatched }) => {
      const server = serverAt(origin);
      const fromNs = clock.now();
      server.dearer = world.arrangement?.(kind) ?? 1;
      const isSampled = kind === 'profiled';
      return {
        async [Symbol.asyncDispose]() {
          server.dearer = 1;
          if (!server.isRunning || !(isSampled || isSampledInOthers)) return;
          onWatched(watched(fromNs, clock.now(), isSampled));
        },
      };
    },
    ask: async (url) => serverAt(new URL(url).origin).model.handler,
    peakBytes: () => 100e6,
    left: () => [...left],
  };
}
