import { groupLauncher } from './group.ts';
import { programOf, type ServerSpec, untilReady } from './server.ts';

/** The `start` command of a server, with the program that it means. */
export function startCommand({ target }: ServerSpec): [string, ...string[]] {
  return [programOf(target), ...target.start.slice(1)];
}

/** Starts each server as the plain process that its `start` command is. */
export const launchSingle = groupLauncher({
  command: startCommand,
  channel: false,
  untilUp: async (spec, { pid }, context) => {
    const ready = await untilReady(spec.port, [pid], context);
    return ready === 'ready'
      ? { state: 'up', pids: [pid], managerPids: [] }
      : { state: 'down', message: ready, died: false };
  },
});
