import type { RunningServer } from '../launch/server.ts';
import { addressOf } from '../launch/sockets.ts';
import { anyDies } from '../load/measure.ts';
import type { Arrangement } from '../plan/plan.ts';
import { type InspectorResult, startWatching } from '../system/inspector.ts';
import { repin } from '../system/pin.ts';
import { signal } from '../system/processes.ts';
import { readCpu, readMemory } from '../system/usage.ts';

const SAMPLE_MS = 100;

/** The server that an arrangement is made for, and what is around it. */
export interface ArrangeOptions {
  server: Pick<RunningServer, 'pids' | 'origin' | 'isAlive'>;
  /** The pids of all other servers. */
  others: readonly number[];
  /** The cores that the server is pinned to, and all cores; the same if it is not pinned. */
  cores: { own: readonly number[]; all: readonly number[] };
  /** Whether V8 samples the server in other slices. */
  isSampledInOthers: boolean;
  /** Called after the slice with what V8 reported, for servers that are sampled in this slice or others. */
  onWatched: (watched: InspectorResult) => unknown;
}

/** Sets everything up for a slice in this arrangement; disposing restores it. */
export async function arrange(
  kind: Arrangement,
  options: ArrangeOptions,
): Promise<AsyncDisposable> {
  const { server, others, cores, isSampledInOthers } = options;
  const { pids } = server;
  const undo = new AsyncDisposableStack();
  const pinTo = (own: readonly number[]) => whileAlive(server, () => repin(pids, own));
  switch (kind) {
    case 'standard':
      if (isSampledInOthers) undo.use(await watch(options, { isSampled: false }));
      break;
    case 'sampled': {
      const timer = setInterval(() => {
        // The measurement itself finds out about a server that is gone.
        Promise.all([readCpu(pids), readMemory(pids)]).catch(() => {});
      }, SAMPLE_MS);
      undo.defer(() => clearInterval(timer));
      break;
    }
    case 'alone':
      for (const pid of others) {
        signal(pid, 'SIGSTOP');
        undo.defer(() => void signal(pid, 'SIGCONT'));
      }
      break;
    case 'unpinned':
      await pinTo(cores.all);
      undo.defer(async () => void (await pinTo(cores.own)));
      break;
    case 'profiled':
      undo.use(await watch(options, { isSampled: true }));
  }
  return undo;
}

/** Watches V8 in a server of a single process. */
async function watch({ server, onWatched }: ArrangeOptions, how: { isSampled: boolean }) {
  const [pid, ...others] = server.pids;
  if (pid === undefined || others.length > 0) {
    throw new Error('only a server of a single process can be watched');
  }
  const own = [addressOf(server.origin).port];
  const stop = await whileAlive(server, () => startWatching(pid, own, how));
  return {
    [Symbol.asyncDispose]: async () => {
      const watched = await whileAlive(server, async () => await stop?.());
      if (watched) onWatched(watched);
    },
  };
}

/** The result of this; null if it fails since the server is gone, which the measurement itself finds out. */
async function whileAlive<T>(server: ArrangeOptions['server'], act: () => Promise<T>) {
  try {
    return await act();
  } catch (error) {
    await anyDies(server);
    if (server.isAlive()) throw error;
    return null;
  }
}
