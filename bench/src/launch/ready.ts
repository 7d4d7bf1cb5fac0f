import type { PlannedService } from '../plan/services.ts';
import type { ServerRef, Topology } from '../plan/topology.ts';
import type { RunningService } from '../services/running.ts';
import { freePort } from '../system/free-port.ts';
import { type LocalTarget, servicesOf } from '../targets/targets.ts';
import type { ServiceTrouble } from './instance.ts';
import { keptData } from './kept-data.ts';
import { launch } from './launch.ts';
import { runSeeds, seedsOf, withAddresses } from './seeds.ts';
import {
  HOST,
  type LaunchContext,
  type RunningServer,
  type ServerFailure,
  type ServerSpec,
} from './server.ts';
import { startServices } from './services.ts';
import { verify } from './verify.ts';

/** Why a server is not ready for load. */
export interface NotReady extends ServerFailure {
  server: string;
  when: 'start' | 'verify';
}

/** Servers that are up and keep their contract; disposing of them stops all that were started. */
export interface ReadyServers extends AsyncDisposable {
  /** By server key. */
  readonly servers: Map<string, RunningServer>;
  readonly notReady: NotReady[];
  /** What was started for them, before them. */
  readonly services: RunningService[];
  /** Services that did not start: the servers that need them are neither ready nor not. */
  readonly troubles: ServiceTrouble[];
}

/** What is to be started. */
export interface Wanted {
  refs: ServerRef[];
  topologies: Topology[];
  targets: LocalTarget[];
  /** Servers whose answers nobody looks at. */
  unverified?: ReadonlySet<string>;
  /** Of them those are started that the servers need. */
  services: readonly PlannedService[];
}

/**
 * Starts these servers, each once, on free ports, with their services, and verifies each before any
 * load, but for those that nobody is to look at.
 * @throws when the launching itself fails or is aborted; nothing is left running then.
 */
export async function startVerified(
  { refs, topologies, targets, unverified = new Set(), services }: Wanted,
  context: LaunchContext,
): Promise<ReadyServers> {
  await using stack = new AsyncDisposableStack();
  const notReady: NotReady[] = [];
  const own = targets.filter(({ name }) => refs.some(({ target }) => target === name));
  const needed = services.filter((each) => own.some(({ name }) => each.targets.includes(name)));
  // Disposed of in the reverse order: servers first.
  const kept = await keptData(needed, own, context);
  const beside = stack.use(await startServices(needed, kept, context));
  const isServed = (target: LocalTarget) => {
    return beside.failed.every(({ name }) => !servicesOf(target).includes(name));
  };
  const served = own.filter(isServed);
  const empty = beside.running.map(({ name }) => name).filter((name) => !kept.has(name));
  const unseeded = await runSeeds(seedsOf(served, empty), beside.running, context);
  const isSeeded = ({ target, server }: ServerRef) => {
    const seed = unseeded.find(({ targets: those }) => those.includes(target));
    if (seed === undefined) return true;
    const { message, logTail } = seed;
    notReady.push({ server, when: 'start', message, logTail, died: false });
    return false;
  };
  const startable = uniqueRefs(refs).filter(({ target }) => {
    return served.some(({ name }) => name === target);
  });
  const specs = await specsOf(startable.filter(isSeeded), topologies, served, beside.running);
  const launched = stack.use(await launch(specs, context));
  const servers = new Map<string, RunningServer>();
  for (const { spec, outcome } of launched.started) {
    if (outcome.state === 'failed') {
      notReady.push({ server: spec.key, when: 'start', ...outcome.failure });
      continue;
    }
    const { server } = outcome;
    if (unverified.has(spec.key)) {
      servers.set(spec.key, server);
      continue;
    }
    const verification = await verify(server, context);
    if (verification.state === 'verified') {
      servers.set(spec.key, {
        ...server,
        agreed: verification.agreed,
        judged: verification.judged,
      });
    } else {
      const { message } = verification;
      const failure = { message, logTail: server.logTail(), died: !server.isAlive() };
      notReady.push({ server: spec.key, when: 'verify', ...failure });
    }
  }
  const started = stack.move();
  return {
    ...{ servers, notReady, services: beside.running, troubles: beside.failed },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

function uniqueRefs(refs: ServerRef[]): ServerRef[] {
  return [...new Map(refs.map((ref) => [ref.server, ref])).values()];
}

async function specsOf(
  refs: ServerRef[],
  topologies: Topology[],
  targets: LocalTarget[],
  services: RunningService[],
): Promise<ServerSpec[]> {
  return Promise.all(
    refs.map(async ({ server: key, ...ref }) => {
      const topology = topologies.find(({ id }) => id === ref.topology);
      const target = targets.find(({ name }) => name === ref.target);
      if (!topology || !target) throw new Error(`${key} is of an unknown target or topology`);
      const port = target.fixedPort ?? (await freePort(HOST));
      return {
        ...{ key, topology, port },
        target: withAddresses(target, services),
        services: services.filter(({ name }) => servicesOf(target).includes(name)),
      };
    }),
  );
}
