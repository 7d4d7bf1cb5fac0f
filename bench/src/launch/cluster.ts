import { join } from 'node:path';
import { z } from 'zod';
import { SRC } from '../base/places.ts';
import { isAlive } from '../system/processes.ts';
import { groupLauncher } from './group.ts';
import { duringStart, HOST, originOf, programOf, untilReady } from './server.ts';

const PRIMARY = join(SRC, 'launch/cluster-primary.mjs');

const messageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('listening'), pid: z.int() }),
  z.object({ kind: z.literal('ended'), pid: z.int(), by: z.string() }),
]);

/**
 * Starts each server under Node's own cluster module: a primary that only forks, with the server's
 * script in each of its workers. The primary deals the connections to them in turn.
 */
export const launchCluster = groupLauncher({
  command: ({ target, topology }) => [
    programOf(target),
    PRIMARY,
    String(topology.processes),
    ...target.start.slice(1),
  ],
  channel: true,
  untilUp: async ({ port, topology }, { pid: primary, onMessage }, context) => {
    const listening = new Set<number>();
    let ended: string | null = null;
    onMessage((text) => {
      const message = messageSchema.parse(text);
      if (message.kind === 'listening') listening.add(message.pid);
      else ended ??= `a worker ended with ${message.by} while starting`;
    });
    const down = (message: string) => ({ state: 'down' as const, message, died: ended !== null });

    // A worker that does not listen yet is dealt nothing: one that accepts says little of the others.
    const allListen = await duringStart(context, () => {
      if (ended !== null || !isAlive(primary)) return false;
      return listening.size === topology.processes ? true : null;
    });
    if (allListen === null) {
      const within = `within ${context.startTimeoutMs / 1000} s`;
      return down(`${listening.size} of ${topology.processes} workers listened ${within}`);
    }
    const pids = [...listening];
    const ready = allListen ? await untilReady(port, pids, context) : 'it ended while starting';
    return ready === 'ready'
      ? { state: 'up', pids, managerPids: [primary], origin: originOf(HOST, port) }
      : down(ended ?? ready);
  },
});
