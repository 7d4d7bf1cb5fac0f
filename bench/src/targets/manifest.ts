import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { codeOf, messageOf, UserError } from '../base/errors.ts';

/** The `package.json` of a folder; null if there is none. @throws UserError if it is not a JSON object. */
export function readManifest(folder: string): Record<string, unknown> | null {
  const path = join(folder, 'package.json');
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return null;
    throw new UserError(`can't read ${path}: ${messageOf(cause)}`, 'Make it readable.', { cause });
  }
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  } catch (cause) {
    throw new UserError(`${path} is not a JSON object`, 'Correct the file.', { cause });
  }
}
