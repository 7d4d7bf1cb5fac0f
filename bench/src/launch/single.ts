import { groupLauncher } from './group.ts';
import { programOf, untilReady } from './server.ts';

/** Starts each server as the plain process that its `start` command is. */
export const launchSingle = groupLauncher({
  command: ({ target }) => [programOf(target), ...target.start.slice(1)],
  channel: false,
  untilUp: async (spec, { pid }, context) => {
    const ready = await untilReady(spec.port, [pid], context);
    return ready === 'ready'
      ? { state: 'up', pids: [pid], managerPids: [] }
      : { state: 'down', message: ready, died: false };
  },
});
