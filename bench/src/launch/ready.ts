import getPort from 'get-port';
import type { ServerRef, Topology } from '../plan/topology.ts';
import { isAlive } from '../system/processes.ts';
import type { LocalTarget } from '../targets/targets.ts';
import { launch } from './launch.ts';
import {
  HOST,
  type LaunchContext,
  type RunningServer,
  type ServerFailure,
  type ServerSpec,
} from './server.ts';
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
}

/**
 * Starts these servers, each once, on free ports, and verifies each before any load, but for those
 * that nobody is to look at.
 * @throws when the launching itself fails or is aborted; nothing is left running then.
 */
export async function startVerified(
  refs: ServerRef[],
  topologies: Topology[],
  targets: LocalTarget[],
  context: LaunchContext,
  unverified: ReadonlySet<string> = new Set(),
): Promise<ReadyServers> {
  await using stack = new AsyncDisposableStack();
  const launched = stack.use(await launch(await specsOf(refs, topologies, targets), context));
  const servers = new Map<string, RunningServer>();
  const notReady: NotReady[] = [];
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
    const verification = await verify(server, context.signal);
    if (verification.state === 'verified') {
      servers.set(spec.key, { ...server, agreed: verification.agreed });
    } else {
      const { message } = verification;
      const failure = { message, lastWords: server.lastWords(), died: !server.pids.every(isAlive) };
      notReady.push({ server: spec.key, when: 'verify', ...failure });
    }
  }
  const running = stack.move();
  return { servers, notReady, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

async function specsOf(
  refs: ServerRef[],
  topologies: Topology[],
  targets: LocalTarget[],
): Promise<ServerSpec[]> {
  const byServer = new Map(refs.map((ref) => [ref.server, ref]));
  return Promise.all(
    [...byServer].map(async ([key, ref]) => {
      const topology = topologies.find(({ id }) => id === ref.topology);
      const target = targets.find(({ name }) => name === ref.target);
      if (!topology || !target) throw new Error(`${key} is of an unknown target or topology`);
      const port = target.insists ?? (await getPort({ host: HOST }));
      return { key, target, topology, port };
    }),
  );
}
