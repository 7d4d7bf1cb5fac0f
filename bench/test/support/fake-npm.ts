import { chmodSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writerIn } from './temporary-folder.ts';

const HERE = import.meta.dirname;
const SCRIPT = join(HERE, 'fake-npm.mjs');

/** The oldest Node that servers may run on, older than the one that runs the harness. */
export const OLDEST = join(HERE, '../oldest-node/node_modules/node/bin/node');
export const OLDEST_VERSION = '20.0.0';

/** What a registry has, or the error that npm prints. */
export type Registry =
  | {
      versions: Record<string, string[]>;
      /** The files of every package, by path: shell scripts or texts. */
      files?: Record<string, string>;
    }
  | { error: { code: string; summary: string } };

/** Writes an npm to this folder that knows only this registry. `PATH` has it first; `calls` returns its commands. */
export function fakeNpm(folder: string, registry: Registry) {
  const write = writerIn(folder);
  const bin = join(folder, 'fake-bin');
  const log = write('fake-bin/calls', '');
  write('fake-bin/registry.json', registry);
  // A shebang can't have a path with a space.
  const script = `#!/bin/sh\nexec "${process.execPath}" "${SCRIPT}" "${bin}" "$@"\n`;
  chmodSync(write('fake-bin/npm', script), 0o755);
  return {
    PATH: `${bin}:${dirname(process.execPath)}:${process.env.PATH ?? ''}`,
    calls: (): string[] => readFileSync(log, 'utf8').split('\n').filter(Boolean),
  };
}
