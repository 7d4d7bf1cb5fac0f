import { afterEach, beforeEach, vi } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.ts';

/** A new folder for each test here, where the user stands if `isCwd`. The environment is restored after each test. */
export function folderOfEach({ isCwd = false } = {}): Pick<TemporaryFolder, 'path' | 'write'> {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder();
    if (isCwd) vi.stubEnv('INIT_CWD', folder.path);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    folder[Symbol.dispose]();
  });
  return {
    get path() {
      return folder.path;
    },
    write: (name, content) => folder.write(name, content),
  };
}
