import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Seed } from './seeds.ts';

/** Long enough that no two are the same by chance. */
const LENGTH = 16;

/**
 * A hash of all that decides what these seeds fill in: their commands, the files that these name, and what
 * they declare beside. Null where one of them does not declare that.
 */
export function contentOf(seeds: readonly Pick<Seed, 'command' | 'files'>[]): string | null {
  const hash = createHash('sha256');
  for (const { command, files } of seeds) {
    if (files === null) return null;
    hash.update(JSON.stringify(command));
    for (const file of files) {
      for (const part of partsOf(file)) {
        hash.update(JSON.stringify([part.name, part.content.length])).update(part.content);
      }
    }
  }
  return hash.digest('hex').slice(0, LENGTH);
}

/** A file, or all files of a folder, in an order of their own; names do not say where the folder is. */
function partsOf(path: string, name = ''): { name: string; content: Buffer }[] {
  if (!statSync(path).isDirectory()) return [{ name, content: readFileSync(path) }];
  return readdirSync(path)
    .sort()
    .flatMap((each) => partsOf(join(path, each), `${name}/${each}`));
}
