import { chmodSync } from 'node:fs';
import { beforeEach, vi } from 'vitest';
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

/** Does so during each test of the file or block that calls this. */
export function onPathOfEach(...names: string[]): void {
  beforeEach(() => {
    const programs = onPathAlone(...names);
    return () => programs[Symbol.dispose]();
  });
}
