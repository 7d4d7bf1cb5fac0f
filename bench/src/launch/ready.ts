import type { PlannedService } from '../plan/plan.ts';
import type { ServerRef, Topology } from '../plan/topology.ts';
import type { RunningService } from '../services/index.ts';
import { freePort } from '../system/free-port.ts';
import { type LocalTarget, servicesOf } from '../targets/targets.ts';
import { ContractError } from './client.ts';
import { launch } from './launch.ts';
import { withAddresses } from './seeds.ts';
import type { LaunchContext, RunningServer, ServerFailure, ServerSpec } from './server.ts';
import { type FailedService, startServices } from './services.ts';
import { Teardown } from './teardown.ts';
import { verify } from './verify.ts';

export interface NotReady extends ServerFailure {
  server: string;
  when: 'start' | 'verify';
}

/** Servers that are up and keep their contract. Disposing of them stops everything that was started. */
export interface ReadyServers extends AsyncDisposable {
  /** By server key. */
  readonly servers: Map<string, RunningServer>;
  readonly notReady: NotReady[];
  /** Those that the servers need. */
  readonly services: RunningService[];
  /** Services that did not start, with the keys of the servers that need them, which are in neither list. */
  readonly failedServices: (FailedService & { servers: string[] })[];
}

export interface StartRequest {
  servers: readonly Pick<ServerSpec, 'key' | 'target' | 'topology'>[];
  /** The keys of servers not to verify. */
  unverified?: readonly string[];
  /** Only those that the servers need are started. */
  services: readonly PlannedService[];
}

/** Servers to start, with their targets and topologies. @throws for an unknown one. */
export function serversOf(
  refs: readonly ServerRef[],
  targets: readonly LocalTarget[],
  topologies: readonly Topology[],
) {
  return refs.map((ref) => {
    const { server: key } = ref;
    const target = targets.find(({ name }) => name === ref.target);
    const topology = topologies.find(({ id }) => id === ref.topology);
    if (!target || !topology) throw new Error(`${key} is of an unknown target or topology`);
    return { key, target, topology };
  });
}

/** Starts these servers and their services, each once, and verifies them. @throws if the launch fails or is aborted. */
export async function startVerified(
  { servers: wanted, unverified = [], services }: StartRequest,
  context: LaunchContext,
): Promise<ReadyServers> {
  await using stack = new AsyncDisposableStack();
  // They are disposed of in the reverse order: servers first.
  const [ofServices, ofServers] = [stack.use(new Teardown()), stack.use(new Teardown())];
  const targets = [...new Set(wanted.map(({ target }) => target))];
  const needed = services.filter((each) => targets.some(({ name }) => each.targets.includes(name)));
  const started = await startServices(needed, targets, { ...context, teardown: ofServices });
  const { running, served, unseeded } = started;
  const failedServices = started.failedServices.map((failed) => {
    const needing = wanted.filter(({ target }) => servicesOf(target).includes(failed.name));
    return { ...failed, servers: needing.map(({ key }) => key) };
  });
  const { address } = context;
  const notReady: NotReady[] = [];
  const specs: ServerSpec[] = [];
  for (const { key, target, topology } of wanted) {
    if (!served.includes(target)) continue;
    const failed = unseeded.find((seed) => seed.targets.includes(target.name));
    if (failed !== undefined) {
      notReady.push({ server: key, when: 'start', ...failed.failure });
      continue;
    }
    specs.push({
      key,
      topology,
      address,
      port: target.fixedPort ?? (await freePort(address)),
      target: withAddresses(target, running),
      services: running.filter(({ name }) => servicesOf(target).includes(name)),
    });
  }
  const servers = new Map<string, RunningServer>();
  for (const each of await launch(specs, { ...context, teardown: ofServers })) {
    if (each.state === 'failed') {
      notReady.push({ server: each.spec.key, when: 'start', ...each.failure });
      continue;
    }
    const { server } = each;
    const { key } = server.spec;
    try {
      servers.set(key, unverified.includes(key) ? server : await verify(server, context));
    } catch (error) {
      if (!(error instanceof ContractError)) throw error;
      notReady.push({ server: key, when: 'verify', ...server.failure(error.message) });
    }
  }
  const ready = { servers, notReady, services: running, failedServices };
  const all = stack.move();
  return { ...ready, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
