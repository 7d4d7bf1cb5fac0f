import { join } from 'node:path';
import { z } from 'zod';
import { SRC } from '../base/places.ts';
import { type LaunchContext, originOf, programOf, type ServerSpec } from './server.ts';
import { type Leader, REUSE_PORT, startInGroup } from './single.ts';
import {
  duringStart,
  type Found,
  type Launcher,
  NotUp,
  requireAlive,
  startInTurn,
  untilReady,
} from './start.ts';

const PRIMARY = join(SRC, 'launch/cluster-primary.mjs');
const THREADS = join(SRC, 'launch/threads-primary.mjs');

/** What a primary says of its workers: of a process its pid, of a thread its number. */
const messageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('listening'), id: z.int() }),
  z.object({ kind: z.literal('ended'), by: z.string() }),
]);

/**
 * Starts each server under Node's own cluster module: a primary that only forks, with the server's
 * script in each of its workers. The primary deals the connections to them in turn.
 */
export const launchCluster: Launcher = launcherUnder([PRIMARY], (workers, primary) => {
  return { pids: workers, managerPids: [primary] };
});

/**
 * Starts each server as a process whose worker threads each run the server's script and listen on one port by
 * SO_REUSEPORT: the kernel deals the connections to them.
 */
export const launchThreads: Launcher = launcherUnder(
  ['--require', REUSE_PORT, THREADS],
  (_, primary) => {
    return { pids: [primary], managerPids: [] };
  },
);

/** The processes of a server, by what its primary says of its workers. */
type ProcessesOf = (workers: number[], primary: number) => Pick<Found, 'pids' | 'managerPids'>;

/** A launcher of servers under a primary that these words start. */
function launcherUnder(words: readonly string[], processesOf: ProcessesOf): Launcher {
  return (specs, context, endings) => {
    return startInTurn(specs, (spec) => {
      const { target, topology } = spec;
      const workers = String(topology.processes);
      return startInGroup(
        spec,
        {
          command: [programOf(target), ...words, workers, ...target.start.slice(1)],
          channel: true,
          untilUp: (primary) => untilAllListen(spec, primary, processesOf, context),
        },
        context,
        endings,
      );
    });
  };
}

/** A worker that does not listen yet is dealt nothing: one that accepts says little of the others. */
async function untilAllListen(
  spec: ServerSpec,
  { pid: primary, onMessage }: Leader,
  processesOf: ProcessesOf,
  context: LaunchContext,
): Promise<Found> {
  const { processes } = spec.topology;
  const listening = new Set<number>();
  let ended: NotUp | null = null;
  onMessage((text) => {
    const message = messageSchema.parse(text);
    if (message.kind === 'listening') listening.add(message.id);
    else ended ??= new NotUp(`a worker ended with ${message.by} while starting`, true);
  });
  const late = () => `${listening.size} of ${processes} workers listened`;
  try {
    await duringStart(context, late, () => {
      if (ended !== null) throw ended;
      requireAlive([primary]);
      return listening.size === processes || null;
    });
    const own = processesOf([...listening], primary);
    await untilReady(spec, own.pids, context);
    return { ...own, origin: originOf(spec.address, spec.port) };
  } catch (error) {
    throw error instanceof NotUp ? (ended ?? error) : error;
  }
}
