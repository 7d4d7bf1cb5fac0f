import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { messageOf, UserError } from './errors.ts';

/**
 * Saves a text so that the file is always whole: the old one or the new one. `what` it is stands in the
 * error.
 * @throws UserError when it can't be written.
 */
export async function saveText(path: string, text: string, what: string): Promise<void> {
  try {
    mkdirSync(dirname(path), { recursive: true });
    await writeFileAtomic(path, text);
  } catch (cause) {
    const next = 'Name a file that can be written with --out.';
    throw new UserError(`can't save the ${what}: ${messageOf(cause)}`, next, { cause });
  }
}
