import type { RuntimeKind } from '../targets/runtime.ts';
import { groupLauncher } from './group.ts';
import { programOf, untilReady } from './server.ts';

/** What a runtime is told before the script; Deno else allows it nothing, and writes a lock file of its own. */
const BEFORE_SCRIPT: Record<RuntimeKind, string[]> = {
  node: [],
  bun: [],
  deno: ['run', '--allow-all', '--no-lock', '--node-modules-dir=manual'],
};

/** Starts each server as the plain process that its `start` command is. */
export const launchSingle = groupLauncher({
  command: ({ target }) => {
    const before =
      target.runtime && target.start[0] === 'node' ? BEFORE_SCRIPT[target.runtime.kind] : [];
    return [programOf(target), ...before, ...target.start.slice(1)];
  },
  channel: false,
  untilUp: async (spec, { pid }, context) => {
    const ready = await untilReady(spec.port, [pid], context);
    return ready === 'ready'
      ? { state: 'up', pids: [pid], managerPids: [] }
      : { state: 'down', message: ready, died: false };
  },
});
