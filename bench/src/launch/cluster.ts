import { join } from 'node:path';
import { z } from 'zod';
import { SRC } from '../base/places.ts';
import { HOST, type LaunchContext, originOf, programOf, type ServerSpec } from './server.ts';
import { type Leader, startInGroup } from './single.ts';
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

const messageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('listening'), pid: z.int() }),
  z.object({ kind: z.literal('ended'), pid: z.int(), by: z.string() }),
]);

/**
 * Starts each server under Node's own cluster module: a primary that only forks, with the server's
 * script in each of its workers. The primary deals the connections to them in turn.
 */
export const launchCluster: Launcher = (specs, context, endings) => {
  return startInTurn(specs, (spec) => {
    const { target, topology } = spec;
    const processes = String(topology.processes);
    return startInGroup(
      spec,
      {
        command: [programOf(target), PRIMARY, processes, ...target.start.slice(1)],
        channel: true,
        untilUp: (primary) => untilAllListen(spec, primary, context),
      },
      context,
      endings,
    );
  });
};

/** A worker that does not listen yet is dealt nothing: one that accepts says little of the others. */
async function untilAllListen(
  { port, topology: { processes } }: ServerSpec,
  { pid: primary, onMessage }: Leader,
  context: LaunchContext,
): Promise<Found> {
  const listening = new Set<number>();
  let ended: NotUp | null = null;
  onMessage((text) => {
    const message = messageSchema.parse(text);
    if (message.kind === 'listening') listening.add(message.pid);
    else ended ??= new NotUp(`a worker ended with ${message.by} while starting`, true);
  });
  const late = () => `${listening.size} of ${processes} workers listened`;
  try {
    await duringStart(context, late, () => {
      if (ended !== null) throw ended;
      requireAlive([primary]);
      return listening.size === processes || null;
    });
    await untilReady(port, [...listening], context);
  } catch (error) {
    throw error instanceof NotUp ? (ended ?? error) : error;
  }
  return { pids: [...listening], managerPids: [primary], origin: originOf(HOST, port) };
}
