import type { z } from 'zod';

/** The value of this schema in a text of JSON; null for any other text. */
export function parseJson<Value>(text: string, schema: z.ZodType<Value>): Value | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
