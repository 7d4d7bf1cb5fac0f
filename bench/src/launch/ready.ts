import type { PlannedService } from '../plan/services.ts';
import type { ServerRef, Topology } from '../plan/topology.ts';
import type { RunningService } from '../services/running.ts';
import { freePort } from '../system/free-port.ts';
import { type LocalTarget, servicesOf } from '../targets/targets.ts';
import { Endings } from './endings.ts';
import { launch } from './launch.ts';
import { withAddresses } from './seeds.ts';
import type { LaunchContext, RunningServer, ServerFailure, ServerSpec } from './server.ts';
import { type ServiceTrouble, startServices } from './services.ts';
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
  // Disposed of in the reverse order: servers first.
  const [ofServices, ofServers] = [stack.use(new Endings()), stack.use(new Endings())];
  const own = targets.filter(({ name }) => refs.some(({ target }) => target === name));
  const needed = services.filter((each) => own.some(({ name }) => each.targets.includes(name)));
  const beside = await startServices(needed, own, context, ofServices);
  const { running, troubles, unseeded } = beside;
  const notReady: NotReady[] = [];
  const specs: ServerSpec[] = [];
  for (const { server, ...ref } of new Map(refs.map((each) => [each.server, each])).values()) {
    const target = beside.targets.find(({ name }) => name === ref.target);
    const topology = topologies.find(({ id }) => id === ref.topology);
    if (topology === undefined) throw new Error(`${server} is of an unknown topology`);
    if (target === undefined) continue;
    const failure = unseeded.find((seed) => seed.targets.includes(target.name));
    if (failure === undefined) {
      const port = target.fixedPort ?? (await freePort(context.address));
      specs.push({
        ...{
          key: server,
          topology,
          address: context.address,
          port,
          target: withAddresses(target, running),
        },
        services: running.filter(({ name }) => servicesOf(target).includes(name)),
      });
    } else {
      const { message, logTail } = failure;
      notReady.push({ server, when: 'start', message, logTail, died: false });
    }
  }
  const servers = new Map<string, RunningServer>();
  for (const { spec, outcome } of await launch(specs, context, ofServers)) {
    if (outcome.state === 'failed') {
      notReady.push({ server: spec.key, when: 'start', ...outcome.failure });
      continue;
    }
    const { server } = outcome;
    const verification = unverified.has(spec.key) ? null : await verify(server, context);
    if (verification?.state === 'failed') {
      const { message } = verification;
      const failure = { message, logTail: server.logTail(), died: !server.isAlive() };
      notReady.push({ server: spec.key, when: 'verify', ...failure });
    } else {
      const { agreed, judged, startNs } = verification ?? server;
      servers.set(spec.key, { ...server, agreed, judged, startNs });
    }
  }
  const started = stack.move();
  return {
    ...{ servers, notReady, services: running, troubles },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}
