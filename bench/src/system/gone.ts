import { readFileSync } from 'node:fs';
import { codeOf } from '../base/errors.ts';

/** The text of a file; null where this system has none, or no longer. */
export function textOf(path: string): string | null {
  return unless(['ENOENT', 'ENODEV'], () => readFileSync(path, 'utf8'), null);
}

/** What is read of a process or a thread, or this where it has ended meanwhile. */
export function ifThere<T>(read: () => T, otherwise: T): T {
  return unless(['ENOENT', 'ESRCH'], read, otherwise);
}

/** As `ifThere`, and where it may not be looked into: one that is ending, by its own user too, or another user's. */
export function ifReadable<T>(read: () => T, otherwise: T): T {
  return unless(['ENOENT', 'ESRCH', 'EACCES'], read, otherwise);
}

function unless<T, Other>(codes: readonly string[], read: () => T, otherwise: Other): T | Other {
  try {
    return read();
  } catch (error) {
    if (codes.includes(codeOf(error) ?? '')) return otherwise;
    throw error;
  }
}
