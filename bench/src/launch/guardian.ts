import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { CODE_EXTENSION, SRC } from '../base/places.ts';
import type { GuardedGroup, GuardianMessage } from './guardian-messages.ts';

/** When the harness ends, even by SIGKILL, its guardian ends what is left and removes the run's folder. */
export type Guardian = ReturnType<typeof startGuardian>;

const CHILD = join(SRC, `launch/guard${CODE_EXTENSION}`);

/** pm2 puts Unix sockets into its home; their paths may contain no space and about 100 bytes at most. */
const LONGEST_TEMPORARY_FOLDER = 48;

/** Makes a run's folder and starts its guardian. Disposing of the guardian removes the folder. */
export function startGuardian() {
  const usual = tmpdir();
  const isShort = !usual.includes(' ') && usual.length <= LONGEST_TEMPORARY_FOLDER;
  const folder = mkdtempSync(join(isShort ? usual : '/tmp', 'overhead-'));
  const child = execa(process.execPath, [CHILD, folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
    buffer: false,
    reject: false,
  });
  const { pid, stdin } = child;
  if (pid === undefined) throw new Error('the guardian process did not start');
  const send = (message: GuardianMessage) => stdin.write(`${JSON.stringify(message)}\n`);
  return {
    pid,
    /** The run's folder, for logs and sockets. */
    folder,
    guard: (what: GuardedGroup) => void send({ kind: 'guard', what }),
    release: (what: GuardedGroup) => void send({ kind: 'release', what }),
    async [Symbol.asyncDispose]() {
      send({ kind: 'done' });
      stdin.end();
      await child;
      // A Ctrl-C also ends a guardian that has not left the terminal's process group yet.
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
