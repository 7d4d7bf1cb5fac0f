import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { CODE_EXTENSION, SRC } from '../base/places.ts';
import type { Guarded, Line } from './guard-line.ts';

/**
 * The harness's side of a process that outlives it: whatever happens to the harness, even SIGKILL,
 * the guardian then kills the process groups that are left, and removes the control groups and the run's
 * folder.
 */
export interface Guardian extends AsyncDisposable {
  readonly pid: number;
  /** The run's folder, for logs and sockets; it goes with the guardian. */
  readonly folder: string;
  /** Tells the guardian about what is started, in case the harness is killed. */
  guard(what: Guarded): void;
  /** Takes that back once it is gone. */
  release(what: Guarded): void;
}

const CHILD = join(SRC, `launch/guard${CODE_EXTENSION}`);

/** Makes a run's folder and starts its guardian; disposing of the guardian removes the folder. */
export function startGuardian(): Guardian {
  const folder = mkdtempSync(join(shortTemporaryFolder(), 'overhead-'));
  const child = execa(process.execPath, [CHILD, folder], {
    detached: true,
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'inherit',
    buffer: false,
    reject: false,
  });
  const { pid, stdin } = child;
  if (pid === undefined) throw new Error('the guardian process did not start');
  const send = (line: Line) => stdin.write(`${JSON.stringify(line)}\n`);
  return {
    pid,
    folder,
    guard: (what) => send({ kind: 'guard', what }),
    release: (what) => send({ kind: 'release', what }),
    async [Symbol.asyncDispose]() {
      send({ kind: 'done' });
      stdin.end();
      await child;
      // A Ctrl-C that comes before its process has left the terminal's group ends the guardian too.
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** pm2 puts Unix sockets into its home, whose paths may hold no space and about 100 bytes. */
const LONGEST_TEMPORARY_FOLDER = 48;

function shortTemporaryFolder(): string {
  const folder = tmpdir();
  return folder.includes(' ') || folder.length > LONGEST_TEMPORARY_FOLDER ? '/tmp' : folder;
}
