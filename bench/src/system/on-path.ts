import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export function onPath(program: string): boolean {
  return findProgram([program]) !== null;
}

/** The path of the first of these executables that is on the PATH or in the folders `beside`; null if none is. */
export function findProgram(names: readonly string[], beside: string[] = []): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...beside];
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return paths.find((path) => isAccessible(path, constants.X_OK)) ?? null;
}

/** Whether this process may use a file or folder in a mode of `fs.access`. */
export function isAccessible(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
