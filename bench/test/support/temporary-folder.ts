import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export type TemporaryFolder = ReturnType<typeof temporaryFolder>;

/** A folder that is removed when it goes out of scope. */
export function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), 'overhead-test-'));
  return {
    path,
    write: writerIn(path),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

export type Write = ReturnType<typeof writerIn>;

/** Writes a file in this folder, and returns its path; anything but text and bytes is written as JSON. */
export function writerIn(folder: string) {
  return (name: string, content: unknown) => {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    // ext4 waits for the disk where a file is written over, but not where it is new.
    rmSync(file, { force: true });
    const isRaw = typeof content === 'string' || Buffer.isBuffer(content);
    writeFileSync(file, isRaw ? content : JSON.stringify(content));
    return file;
  };
}
