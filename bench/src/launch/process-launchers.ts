/** Launchers of servers without pm2. Each process that the harness starts leads a process group. */
import { join } from 'node:path';
import { z } from 'zod';
import { SRC } from '../base/places.ts';
import { inGroups } from '../system/control-groups.ts';
import type { Command } from '../system/pin.ts';
import { CAN_SEE_SOCKETS, portsOf } from '../system/sockets.ts';
import { workingFolder } from '../targets/targets.ts';
import { type LoggedCommand, type LoggedProcess, membersOf, startLogged } from './process-group.ts';
import { environmentOf, HOST, programOf, type ServerSpec, type StartContext } from './server.ts';
import { accepts, originOf } from './sockets.ts';
import {
  ACCEPTS_NONE,
  Died,
  duringStart,
  type Launcher,
  NotUp,
  requireAlive,
  type ServerProcesses,
  STARTED_TOGETHER,
  startedBy,
  untilReady,
  whileItRuns,
} from './start.ts';
import { inBatches, settled } from './teardown.ts';

interface StartMode extends Pick<LoggedCommand, 'command' | 'ipc'> {
  copies?: number;
  /** Waits until such a process serves. @throws NotUp if it does not; when aborted. */
  untilUp(pid: number, child: LoggedProcess, log: string): Promise<ServerProcesses>;
}

function launcherOf(modeOf: (spec: ServerSpec, context: StartContext) => StartMode): Launcher {
  return (specs, context) => {
    return inBatches(specs, STARTED_TOGETHER, (spec) => {
      const { command, copies = 1, ipc = false, untilUp } = modeOf(spec, context);
      const logged = {
        command: inGroups(context.groups, command),
        directory: workingFolder(spec.target),
        // Temporary files are removed with the run's folder, even if the server is killed.
        environment: { TMPDIR: context.folder, ...environmentOf(spec) },
        cores: spec.topology.cores,
        ipc,
      };
      const name = join(context.folder, spec.key.replaceAll(/[/:]/g, '-'));
      const logs = Array.from({ length: copies }, (_, index) => `${name}-${index + 1}.log`);
      const start = async () => {
        const starting = logs.map((log) => {
          const child = startLogged({ ...logged, log }, context);
          return whileItRuns(child, (pid) => untilUp(pid, child, log));
        });
        const found = await settled(starting);
        return { ...found[0], pids: found.flatMap(({ pids }) => pids) };
      };
      return startedBy(start, spec, logs, context);
    });
  };
}

const REUSE_PORT = join(SRC, 'launch/reuse-port.cjs');

/** Otherwise Deno denies all permissions and writes a lock file. */
const DENO_OPTIONS = ['run', '--allow-all', '--no-lock', '--node-modules-dir=manual'];

/** The `start` command of a server, with the path of its program. */
function startCommand({ target, topology }: ServerSpec): Command {
  const [program, ...rest] = target.start;
  const isDeno = program === 'node' && target.runtime?.kind === 'deno';
  const sharing = topology.manager === 'SO_REUSEPORT' ? ['--require', REUSE_PORT] : [];
  return [programOf(target), ...(isDeno ? DENO_OPTIONS : []), ...sharing, ...rest];
}

/** A server that listens on another port may still open the right one within this time. */
const ELSEWHERE_MS = 500;

/** Starts each server by its `start` command alone. One that ignores PORT is found by the ports that it listens on. */
export const launchPlain = launcherOf((spec, context) => ({
  command: startCommand(spec),
  untilUp: (pid, _, log) => {
    const { address, port } = spec;
    let elsewhereSince: number | null = null;
    return duringStart(context, ACCEPTS_NONE, async () => {
      const origin = await originAt(address, port);
      const pids = membersOf(pid, log);
      if (pids.length === 0) throw new NotUp('it ended while starting');
      if (origin !== null) return { pids, origin };
      const [other] = portsOf(pids);
      if (other === undefined) return null;
      elsewhereSince ??= performance.now();
      if (performance.now() - elsewhereSince < ELSEWHERE_MS) return null;
      const elsewhere = await originAt(address, other);
      return elsewhere === null ? null : { pids, origin: elsewhere };
    });
  },
}));

/** The origin at which somebody accepts connections on this port; null if nobody does. HOST also stands for ::1. */
async function originAt(address: string, port: number): Promise<string | null> {
  for (const host of address === HOST ? [HOST, '::1'] : [address]) {
    if (await accepts(host, port)) return originOf(host, port);
  }
  return null;
}

/** Starts each server as several processes that share a port by SO_REUSEPORT. The kernel distributes connections. */
export const launchReusePort = launcherOf((spec, context) => ({
  command: startCommand(spec),
  copies: spec.topology.processes,
  untilUp: async (pid) => {
    await untilReady(spec, [pid], context);
    return await duringStart(context, 'it did not listen', () => {
      requireAlive([pid]);
      const isListening = !CAN_SEE_SOCKETS || portsOf([pid]).includes(spec.port);
      return isListening ? { pids: [pid] } : null;
    });
  },
}));

/** A primary's message about a worker; the id is a pid or the number of a thread. */
const reportSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('listening'), id: z.int() }),
  z.object({ kind: z.literal('ended'), by: z.string() }),
]);

/** A launcher of servers whose workers run under a primary, which `words` start, and which reports each worker. */
function launcherUnder(
  words: readonly string[],
  processesOf: (workers: number[], primary: number) => ServerProcesses,
): Launcher {
  return launcherOf((spec, context) => {
    const { target, topology } = spec;
    const { processes } = topology;
    return {
      command: [programOf(target), ...words, String(processes), ...target.start.slice(1)],
      ipc: true,
      // A connection would show only that one of the workers accepts.
      untilUp: async (primary, child) => {
        const listening = new Set<number>();
        let ended: Died | null = null;
        child.nodeChildProcess.on('message', (sent) => {
          const report = reportSchema.parse(sent);
          if (report.kind === 'listening') listening.add(report.id);
          else ended ??= new Died(`a worker ended with ${report.by} while starting`);
        });
        const late = () => `${listening.size} of ${processes} workers listened`;
        try {
          await duringStart(context, late, () => {
            if (ended !== null) throw ended;
            requireAlive([primary]);
            return listening.size === processes || null;
          });
          const found = processesOf([...listening], primary);
          await untilReady(spec, found.pids, context);
          return found;
        } catch (error) {
          throw error instanceof NotUp ? (ended ?? error) : error;
        }
      },
    };
  });
}

/** Starts each server's script in the workers of Node's own cluster module. The primary deals connections in turn. */
export const launchCluster = launcherUnder(
  [join(SRC, 'launch/cluster-primary.mjs')],
  (workers, primary) => ({ pids: workers, managerPids: [primary] }),
);

/** Starts each server's script in the worker threads of one process, which share a port by SO_REUSEPORT. */
export const launchThreads = launcherUnder(
  ['--require', REUSE_PORT, join(SRC, 'launch/threads-primary.mjs')],
  (_, primary) => ({ pids: [primary] }),
);
