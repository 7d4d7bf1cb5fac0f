import { z } from 'zod';
import { messageOf, UserError } from './errors.ts';
import { readText, saveText } from './text-file.ts';

const headSchema = z.object({ schema: z.string(), version: z.number() });

/** The schema of a file that says what it is: its name and its version are in it. */
type VersionedSchema<Saved> = z.ZodType<Saved> & {
  shape: { schema: z.ZodLiteral<string>; version: z.ZodLiteral<number> };
};

/** One step: what was saved by one version, as the next one has it. @throws when it is damaged. */
export type Upgrade = (saved: unknown) => unknown;

/** A schema as it is now, and the steps that lead to it from older versions, by the version they start from. */
export interface Versioned<Saved> {
  schema: VersionedSchema<Saved>;
  upgrades: Readonly<Record<number, Upgrade>>;
}

/** Saves a record, whole or not at all. @throws UserError as `saveText`. */
export async function saveJson(path: string, record: unknown): Promise<void> {
  await saveText(path, `${JSON.stringify(record)}\n`, 'record');
}

/**
 * Reads a record of one of these schemas; one of an older version is brought up to date, version by
 * version.
 * @throws UserError for a file that can't be read, is of none of them, or is of a version that there is
 * no way from.
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
  const wanted = schema.shape.version.value;
  const damaged = (error: z.ZodError) => {
    const [issue] = error.issues;
    const where = issue ? `${issue.path.join('.')}: ${issue.message}` : 'it breaks the schema';
    return new UserError(`${path} is damaged: ${where}`, NEXT, { cause: error });
  };
  try {
    for (let { version } = head; version !== wanted; version++) {
      const upgrade = upgrades[version];
      if (upgrade === undefined) {
        throw new UserError(
          `${path} is a record of version ${head.version}; this is version ${wanted}`,
          'Read it with the version of overhead that wrote it.',
        );
      }
      content = upgrade(content);
    }
  } catch (error) {
    throw error instanceof z.ZodError ? damaged(error) : error;
  }
  const record = schema.safeParse(content);
  if (!record.success) throw damaged(record.error);
  return record.data;
}
