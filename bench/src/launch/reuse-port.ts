import { isAlive } from '../system/processes.ts';
import { CAN_SEE_SOCKETS, portsOf } from '../system/sockets.ts';
import { groupLauncher } from './group.ts';
import {
  duringStart,
  HOST,
  type Launched,
  type Launcher,
  originOf,
  type ServerSpec,
  type Started,
  untilReady,
} from './server.ts';
import { startCommand } from './single.ts';

/** One of the processes of a server: it is up once it listens itself, not when another one accepts. */
const launchMembers = groupLauncher({
  command: startCommand,
  channel: false,
  untilUp: async ({ port }, { pid }, context) => {
    const down = (message: string) => ({ state: 'down' as const, message, died: false });
    const ready = await untilReady(port, [pid], context);
    if (ready !== 'ready') return down(ready);
    const listens = await duringStart(context, () => {
      if (!isAlive(pid)) return false;
      return !CAN_SEE_SOCKETS || portsOf([pid]).includes(port) ? true : null;
    });
    if (listens) return { state: 'up', pids: [pid], managerPids: [], origin: originOf(HOST, port) };
    return down(`it did not listen within ${context.startTimeoutMs / 1000} s`);
  },
});

/**
 * Starts each server as so many processes of its `start` command that share one port by SO_REUSEPORT:
 * the kernel deals the connections to them, by their addresses.
 */
export const launchReusePort: Launcher = async (specs, context): Promise<Launched> => {
  const members = specs.flatMap((spec) => membersOf(spec));
  const launched = await launchMembers(members, context);
  const started = specs.map((spec) => {
    const keys = new Set(membersOf(spec).map(({ key }) => key));
    return together(
      spec,
      launched.started.filter(({ spec: { key } }) => keys.has(key)),
    );
  });
  return { started, [Symbol.asyncDispose]: () => launched[Symbol.asyncDispose]() };
};

function membersOf(spec: ServerSpec): ServerSpec[] {
  return Array.from({ length: spec.topology.processes }, (_, index) => {
    return { ...spec, key: `${spec.key}#${index + 1}` };
  });
}

/** The processes of a server as one; one that failed is a failure of all. */
function together(spec: ServerSpec, members: Started[]): Started {
  const outcomes = members.map(({ outcome }) => outcome);
  const failed = outcomes.find(({ state }) => state === 'failed');
  if (failed !== undefined) return { spec, outcome: failed };
  const servers = outcomes.flatMap((outcome) => {
    return outcome.state === 'running' ? [outcome.server] : [];
  });
  const [first] = servers;
  if (first === undefined) throw new Error(`${spec.key} has no process`);
  const server = {
    ...first,
    spec,
    pids: servers.flatMap(({ pids }) => pids),
    isAlive: () => servers.every((each) => each.isAlive()),
    logTail: () => servers.flatMap((each) => each.logTail()),
  };
  return { spec, outcome: { state: 'running', server } };
}
