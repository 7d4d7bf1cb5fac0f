import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether a program of this name can be started: a file that may be executed is on the PATH. */
export function onPath(program: string): boolean {
  return findProgram(program) !== null;
}

/** The path of a program of this name, on the PATH or else in these folders; null where there is none. */
export function findProgram(program: string, beside: readonly string[] = []): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...beside];
  const paths = folders.map((folder) => join(folder, program));
  return paths.find(canExecute) ?? null;
}

function canExecute(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
