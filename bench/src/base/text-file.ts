import { constants } from 'node:buffer';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';
import writeFileAtomic from 'write-file-atomic';
import { codeOf, messageOf, orUserError, UserError } from './errors.ts';

/** The first bytes of every gzip file. */
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

/** The text of a file, decompressed if gzipped. @throws UserError if that fails; Node's error if it is unreadable. */
export function readText(path: string): string {
  const content = readFileSync(path);
  const isPacked = content.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC);
  if (!isPacked) return content.toString('utf8');
  const next = 'It may have been cut off: copy it again, or name another file.';
  return orUserError(`can't unpack ${path}`, next, () => {
    // A small file can expand to gigabytes; this is Node's limit for strings.
    return gunzipSync(content, { maxOutputLength: constants.MAX_STRING_LENGTH }).toString('utf8');
  });
}

/**
 * Saves a text atomically, compressed if the name ends in `.gz`.
 * @param what its name in the error
 * @throws UserError when it can't be written.
 */
export async function saveText(
  path: string,
  text: string,
  what: string,
  write: (path: string, content: string | Buffer) => Promise<void> = writeFileAtomic,
): Promise<void> {
  try {
    const content = path.endsWith('.gz') ? await promisify(gzip)(text, { level: 9 }) : text;
    const save = async () => {
      mkdirSync(dirname(path), { recursive: true });
      await write(path, content);
    };
    // The folder may be removed meanwhile.
    await save().catch((error) => {
      if (codeOf(error) !== 'ENOENT') throw error;
      return save();
    });
  } catch (cause) {
    const next = 'Name a file that can be written with --out.';
    throw new UserError(`can't save the ${what}: ${messageOf(cause)}`, next, { cause });
  }
}
