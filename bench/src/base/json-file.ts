import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { messageOf, UserError } from './errors.ts';

const headSchema = z.object({ schema: z.string(), version: z.number() });

/** The schema of a file that says what it is: its name and its version are in it. */
type VersionedSchema = z.ZodType<z.infer<typeof headSchema>> & {
  shape: { schema: z.ZodLiteral<string>; version: z.ZodLiteral<number> };
};

/** Steps from one version of a schema to the next, by the version they start from. */
type Upgrades = Readonly<Record<number, (saved: unknown) => unknown>>;

/**
 * Saves a record so that the file is always whole: the old one or the new one.
 * @throws UserError when it can't be written.
 */
export async function saveJson(path: string, record: unknown): Promise<void> {
  try {
    mkdirSync(dirname(path), { recursive: true });
    await writeFileAtomic(path, `${JSON.stringify(record)}\n`);
  } catch (cause) {
    const next = 'Name a file that can be written with --out.';
    throw new UserError(`can't save the record: ${messageOf(cause)}`, next, { cause });
  }
}

/**
 * Reads a record of one of these schemas; one of an older version by the upgrades of its schema's name.
 * @throws UserError for a file that can't be read, is of none of them, or is of another version.
 */
export function readJson<S extends VersionedSchema>(
  path: string,
  schemas: readonly S[],
  upgrades: Readonly<Record<string, Upgrades>> = {},
): z.infer<S> {
  const next = 'Name a record that a run of this version saved; they are in results/.';
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new UserError(`can't read ${path}: ${messageOf(cause)}`, next, { cause });
  }
  const head = headSchema.safeParse(content).data;
  const schema = schemas.find(({ shape }) => shape.schema.value === head?.schema);
  if (head === undefined || schema === undefined) {
    throw new UserError(`${path} is not a record of overhead`, next);
  }
  const wanted = schema.shape.version.value;
  try {
    for (let { version } = head; version !== wanted; version++) {
      const upgrade = upgrades[head.schema]?.[version];
      if (upgrade === undefined) {
        throw new UserError(
          `${path} is a record of version ${head.version}; this is version ${wanted}`,
          'Read it with the version of overhead that wrote it.',
        );
      }
      content = upgrade(content);
    }
    return schema.parse(content);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const [issue] = error.issues;
    const where = issue ? `${issue.path.join('.')}: ${issue.message}` : 'it breaks the schema';
    throw new UserError(`${path} is damaged: ${where}`, next, { cause: error });
  }
}
