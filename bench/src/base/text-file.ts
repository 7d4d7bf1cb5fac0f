import { constants } from 'node:buffer';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';
import writeFileAtomic from 'write-file-atomic';
import { codeOf, messageOf, UserError } from './errors.ts';

/** What every gzip file begins with. */
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

/**
 * The text of a file, unpacked where it is compressed; its content says so, whatever its name.
 * @throws UserError when it can't be unpacked, and what Node throws when it can't be read.
 */
export function readText(path: string): string {
  const content = readFileSync(path);
  const isPacked = content.subarray(0, GZIP_MAGIC.length).equals(GZIP_MAGIC);
  return (isPacked ? unpacked(content, path) : content).toString('utf8');
}

function unpacked(content: Buffer, path: string): Buffer {
  try {
    // A small file can hold gigabytes of the same; more than this is no string of Node's anyway.
    return gunzipSync(content, { maxOutputLength: constants.MAX_STRING_LENGTH });
  } catch (cause) {
    const next = 'It may have been cut off: copy it again, or name another file.';
    throw new UserError(`can't unpack ${path}: ${messageOf(cause)}`, next, { cause });
  }
}

/** Writes a file, whole or not at all. */
type Write = (path: string, content: string | Buffer) => Promise<void>;

/**
 * Saves a text so that the file is always whole: the old one or the new one; compressed where its
 * name ends in `.gz`. `what` it is stands in the error.
 * @throws UserError when it can't be written.
 */
export async function saveText(
  path: string,
  text: string,
  what: string,
  write: Write = writeFileAtomic,
): Promise<void> {
  try {
    const content = path.endsWith('.gz') ? await packed(text) : text;
    // The folder can go away while it is written to.
    await writeInto(path, content, write).catch((error) => {
      if (codeOf(error) !== 'ENOENT') throw error;
      return writeInto(path, content, write);
    });
  } catch (cause) {
    const next = 'Name a file that can be written with --out.';
    throw new UserError(`can't save the ${what}: ${messageOf(cause)}`, next, { cause });
  }
}

async function writeInto(path: string, content: string | Buffer, write: Write): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  await write(path, content);
}

function packed(text: string): Promise<Buffer> {
  return promisify(gzip)(text, { level: 9 });
}
