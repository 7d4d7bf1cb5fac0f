/**
 * What the harness on the machine of the servers and the generators on another machine tell each other: a line of
 * JSON each, in both directions of one ssh connection.
 */
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { UserError } from '../base/errors.ts';

/** In the environment of a harness on the machine of the servers: whether its generators are `here` or `there`. */
export const GENERATOR = 'OVERHEAD_GENERATOR';
/** In the environment of a generator process that asks for its readings. */
export const READS_REMOTELY = 'OVERHEAD_READS_REMOTELY';

const generator = z.int().min(0);

/** From the harness, where the servers are. */
export const fromHarnessSchema = z.discriminatedUnion('kind', [
  /** Start or end a generator process. */
  z.object({ kind: z.literal('start'), generator }),
  z.object({ kind: z.literal('end'), generator }),
  /** A command for it, or the reading that it asked for. */
  z.object({ kind: z.literal('tell'), generator, message: z.looseObject({ kind: z.string() }) }),
  /** The record of a run so far. */
  z.object({ kind: z.literal('record'), record: z.unknown() }),
  /** The time of its clock, ms, just after the sign of life that said `of` ms. */
  z.object({ kind: z.literal('clock'), ms: z.number(), of: z.number() }),
  z.object({ kind: z.literal('over'), exitCode: z.int() }),
]);
export type FromHarness = z.infer<typeof fromHarnessSchema>;

/** To the harness. */
export const toHarnessSchema = z.discriminatedUnion('kind', [
  /** A reply of a generator, or a reading that it asks for. */
  z.object({ kind: z.literal('told'), generator, message: z.unknown() }),
  z.object({ kind: z.literal('gone'), generator, reason: z.string() }),
  /** The user has pressed Ctrl-C, for example. */
  z.object({ kind: z.literal('signal'), name: z.enum(['SIGINT', 'SIGTERM', 'SIGHUP']) }),
  /** A sign of life, with the time of day here, ms. */
  z.object({ kind: z.literal('alive'), ms: z.number() }),
]);
export type ToHarness = z.infer<typeof toHarnessSchema>;

/** A message as a line. */
export function lineOf(message: FromHarness | ToHarness): string {
  return `${JSON.stringify(message)}\n`;
}

/** The messages of a stream, until it ends. @throws UserError for a line that is none. */
export async function* messagesOf<T>(input: Readable, schema: z.ZodType<T>): AsyncGenerator<T> {
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    let message: T;
    try {
      message = schema.parse(JSON.parse(line));
    } catch (cause) {
      throw new UserError(
        `the other machine printed "${line.slice(0, 60)}"`,
        'See what its shell prints at its start.',
        { cause },
      );
    }
    yield message;
  }
}
