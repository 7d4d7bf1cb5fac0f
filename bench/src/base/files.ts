import { constants } from 'node:buffer';
import { mkdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { codeOf, messageOf, orUserError, UserError } from './errors.ts';

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

/** Saves a text atomically, compressed if the name ends in `.gz`. @throws UserError, which names `what`. */
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

const headSchema = z.object({ schema: z.string(), version: z.int() });

/** The schema of a file that contains the name and version of its schema. */
type VersionedSchema<Saved> = z.ZodType<Saved> & {
  shape: { schema: z.ZodLiteral<string>; version: z.ZodLiteral<number> };
};

/** Saves a record atomically. @throws UserError as `saveText`. */
export async function saveJson(path: string, record: unknown): Promise<void> {
  await saveText(path, `${JSON.stringify(record)}\n`, 'record');
}

const NAME_RECORD = 'Name a record that a run has saved; they are in results/.';

/** Reads a record of one of these schemas. @throws UserError if it can't be read, or has another schema or version. */
export function readJson<Saved>(path: string, kinds: readonly VersionedSchema<Saved>[]): Saved {
  const content: unknown = orUserError(`can't read ${path}`, NAME_RECORD, () => {
    return JSON.parse(readText(path));
  });
  return recordIn(path, content, kinds);
}

/** The record of one of these schemas in a file at this path. @throws UserError as `readJson`. */
export function recordIn<Saved>(
  path: string,
  saved: unknown,
  kinds: readonly VersionedSchema<Saved>[],
): Saved {
  const head = headSchema.safeParse(saved).data;
  const schema = kinds.find(({ shape }) => shape.schema.value === head?.schema);
  if (head === undefined || schema === undefined) {
    throw new UserError(`${path} is not a record of overhead`, NAME_RECORD);
  }
  const own = schema.shape.version.value;
  if (head.version !== own) {
    const read = head.version < own ? `version ${own} and later` : `up to version ${own}`;
    throw new UserError(
      `${path} is a record of version ${head.version}; this release reads ${read}`,
      'Read it with the release of overhead that wrote it.',
    );
  }
  const { data, error: cause } = schema.safeParse(saved);
  if (cause === undefined) return data;
  const [issue] = cause.issues;
  const where = issue ? `${issue.path.join('.')}: ${issue.message}` : 'it breaks the schema';
  throw new UserError(`${path} is damaged: ${where}`, NAME_RECORD, { cause });
}

/** A new folder, which is removed with its contents on disposal. */
export async function temporaryFolder(name: string): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), `overhead-${name}-`));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
