import type { z } from 'zod';

/** The value in a JSON text; null for text that is not JSON or does not fit the schema. */
export function parseJson<Value>(text: string, schema: z.ZodType<Value>): Value | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
