import { z } from 'zod';
import { messageOf, UserError } from './errors.ts';
import { readText, saveText } from './text-file.ts';

const headSchema = z.object({ schema: z.string(), version: z.int() });

/** The schema of a file that says what it is: its name and its version are in it. */
type VersionedSchema<Saved> = z.ZodType<Saved> & {
  shape: { schema: z.ZodLiteral<string>; version: z.ZodLiteral<number> };
};

/** One step: what was saved by one version, as the next one has it. @throws when it is damaged. */
export type Upgrade = (saved: unknown) => unknown;

/** A schema as it is now, and the steps that lead to it from older versions, in their order. */
export interface Versioned<Saved> {
  schema: VersionedSchema<Saved>;
  upgrades: readonly Upgrade[];
}

/** Saves a record, whole or not at all. @throws UserError as `saveText`. */
export async function saveJson(path: string, record: unknown): Promise<void> {
  await saveText(path, `${JSON.stringify(record)}\n`, 'record');
}

/**
 * Reads a record of one of these schemas, compressed or not; one of an older version is brought up to
 * date, version by version.
 * @throws UserError for a file that can't be read, is of none of them, or is of a version that no step
 * leads from.
 */
export function readJson<Saved>(path: string, kinds: readonly Versioned<Saved>[]): Saved {
  let content: unknown;
  try {
    content = JSON.parse(readText(path));
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    throw new UserError(`can't read ${path}: ${messageOf(cause)}`, NEXT, { cause });
  }
  return recordIn(path, content, kinds);
}

const NEXT = 'Name a record that a run has saved; they are in results/.';

/** The record of one of these schemas that a file of this path holds. @throws UserError as `readJson`. */
export function recordIn<Saved>(
  path: string,
  saved: unknown,
  kinds: readonly Versioned<Saved>[],
): Saved {
  let content = saved;
  const head = headSchema.safeParse(content).data;
  const kind = kinds.find(({ schema }) => schema.shape.schema.value === head?.schema);
  if (head === undefined || kind === undefined) {
    throw new UserError(`${path} is not a record of overhead`, NEXT);
  }
  const { schema, upgrades } = kind;
  const newest = schema.shape.version.value;
  const oldest = newest - upgrades.length;
  if (head.version < oldest || head.version > newest) {
    const read = head.version < oldest ? `version ${oldest} and later` : `up to version ${newest}`;
    throw new UserError(
      `${path} is a record of version ${head.version}; this release reads ${read}`,
      'Read it with the release of overhead that wrote it.',
    );
  }
  const damaged = (error: z.ZodError) => {
    const [issue] = error.issues;
    const where = issue ? `${issue.path.join('.')}: ${issue.message}` : 'it breaks the schema';
    return new UserError(`${path} is damaged: ${where}`, NEXT, { cause: error });
  };
  try {
    for (const upgrade of upgrades.slice(head.version - oldest)) content = upgrade(content);
  } catch (error) {
    throw error instanceof z.ZodError ? damaged(error) : error;
  }
  const record = schema.safeParse(content);
  if (!record.success) throw damaged(record.error);
  return record.data;
}
