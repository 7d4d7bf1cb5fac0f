import { afterEach, beforeEach, vi } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.ts';

/**
 * A new folder for each test of the file or block that calls this, in which the user stands if that is said. After each
 * test the environment is as it was before.
 */
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
