import { z } from 'zod';
import { orUserError, UserError } from './errors.ts';
import { readText, saveText } from './text-file.ts';

const headSchema = z.object({ schema: z.string(), version: z.int() });

/** The schema of a file that contains the name and version of its schema. */
type VersionedSchema<Saved> = z.ZodType<Saved> & {
  shape: { schema: z.ZodLiteral<string>; version: z.ZodLiteral<number> };
};

/** Saves a record atomically. @throws UserError as `saveText`. */
export async function saveJson(path: string, record: unknown): Promise<void> {
  await saveText(path, `${JSON.stringify(record)}\n`, 'record');
}

const NEXT = 'Name a record that a run has saved; they are in results/.';

/** Reads a record of one of these schemas. @throws UserError if it can't be read, or has another schema or version. */
export function readJson<Saved>(path: string, kinds: readonly VersionedSchema<Saved>[]): Saved {
  const content: unknown = orUserError(`can't read ${path}`, NEXT, () => {
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
    throw new UserError(`${path} is not a record of overhead`, NEXT);
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
  throw new UserError(`${path} is damaged: ${where}`, NEXT, { cause });
}
