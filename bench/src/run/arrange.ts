import type { RunningServer } from '../launch/server.ts';
import { addressOf } from '../launch/sockets.ts';
import { anyDies } from '../load/measure.ts';
import type { Arrangement } from '../plan/plan.ts';
import { startWatching, type Watched } from '../system/inspector.ts';
import { repin } from '../system/pin.ts';
import { signal } from '../system/processes.ts';
import { readCpu, readMemory } from '../system/usage.ts';

const SAMPLE_MS = 100;

/** What an arrangement is about. */
export interface Arranged {
  /** The server that is measured. */
  server: Pick<RunningServer, 'pids' | 'origin' | 'isAlive'>;
  /** Of all other servers. */
  others: readonly number[];
  /** Those that the server is pinned to, and all there are; the same where it is not pinned. */
  cores: { own: readonly number[]; all: readonly number[] };
  /** Whether V8 samples the server in other slices. */
  isSampledInOthers: boolean;
  /** Is given what was seen in a server that is sampled, here or in other slices, once the slice is over. */
  onWatched: (watched: Watched) => unknown;
}

/** Makes everything as a slice in this arrangement needs it; disposing puts it back. */
export async function arrange(
  arrangement: Arrangement,
  arranged: Arranged,
): Promise<AsyncDisposable> {
  const { server, others, cores, isSampledInOthers } = arranged;
  const { pids } = server;
  const undo = new AsyncDisposableStack();
  switch (arrangement) {
    case 'standard':
      if (isSampledInOthers) undo.use(await watch(arranged, { isSampled: false }));
      break;
    case 'sampled': {
      const timer = setInterval(() => {
        // A server that is gone is found out by the measurement itself.
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
      await whileAlive(server, () => repin(pids, cores.all));
      undo.defer(async () => {
        await whileAlive(server, () => repin(pids, cores.own));
      });
      break;
    case 'profiled':
      undo.use(await watch(arranged, { isSampled: true }));
  }
  return undo;
}

/** Looks into a server's one process. */
async function watch(
  { server, onWatched }: Arranged,
  how: { isSampled: boolean },
): Promise<AsyncDisposable> {
  const [pid, ...others] = server.pids;
  if (pid === undefined || others.length > 0) {
    throw new Error('only a server that is one process can be watched');
  }
  const own = [addressOf(server.origin).port];
  const watching = await whileAlive(server, () => startWatching(pid, own, how));
  return {
    [Symbol.asyncDispose]: async () => {
      const watched = await whileAlive(server, async () => await watching?.stop());
      if (watched) onWatched(watched);
    },
  };
}

/** What this comes to; null where it fails since the server is gone, which is found out by the measurement itself. */
async function whileAlive<T>(server: Arranged['server'], act: () => Promise<T>): Promise<T | null> {
  try {
    return await act();
  } catch (error) {
    await anyDies(server);
    if (server.isAlive()) throw error;
    return null;
  }
}
