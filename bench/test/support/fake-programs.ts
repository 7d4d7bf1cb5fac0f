import { chmodSync } from 'node:fs';
import { vi } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.ts';

/** Programs of these names are all that is on the PATH, until it is disposed of; nothing can start them. */
export function onPathAlone(...names: string[]): Disposable {
  const folder: TemporaryFolder = temporaryFolder();
  for (const name of names) chmodSync(folder.write(name, ''), 0o755);
  vi.stubEnv('PATH', folder.path);
  return {
    [Symbol.dispose]: () => {
      vi.unstubAllEnvs();
      folder[Symbol.dispose]();
    },
  };
}
