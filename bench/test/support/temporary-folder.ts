import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder that is removed when it goes out of scope. */
export interface TemporaryFolder extends Disposable {
  path: string;
  /** Writes a file, and returns its path; anything but text and bytes is written as JSON. */
  write(name: string, content: unknown): string;
}

export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'overhead-test-'));
  return {
    path,
    write: (name, content) => {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      const isRaw = typeof content === 'string' || Buffer.isBuffer(content);
      writeFileSync(file, isRaw ? content : JSON.stringify(content));
      return file;
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}
