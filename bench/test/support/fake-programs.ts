import { chmodSync } from 'node:fs';
import { vi } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

/** Makes programs of these names the only ones on the PATH, until it is disposed of. They can't be started. */
export function onPathAlone(...names: string[]): Disposable {
  const folder = temporaryFolder();
  for (const name of names) chmodSync(folder.write(name, ''), 0o755);
  vi.stubEnv('PATH', folder.path);
  return {
    [Symbol.dispose]: () => {
      vi.unstubAllEnvs();
      folder[Symbol.dispose]();
    },
  };
}
