/**
 * What the harness on a server's machine and the generators on another tell each other: a line of JSON each, in
 * both directions of one ssh connection.
 */
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { UserError } from '../base/errors.ts';

/** In the environment of a harness on the machine of the servers: whether its generators are `here` or `there`. */
export const GENERATOR = 'OVERHEAD_GENERATOR';
/** In the environment of a generator process that asks for its readings. */
export const READS_ELSEWHERE = 'OVERHEAD_READS_ELSEWHERE';

const generator = z.int().min(0);

/** From the harness, where the servers are. */
export const fromHarnessSchema = z.discriminatedUnion('kind', [
  /** A generator process is to be there, or to end. */
  z.object({ kind: z.literal('start'), generator }),
  z.object({ kind: z.literal('end'), generator }),
  /** A command for it, or what it asked to be read. */
  z.object({ kind: z.literal('tell'), generator, message: z.unknown() }),
  /** The record of a run, by the name of its suite, as far as it has come. */
  z.object({ kind: z.literal('record'), record: z.unknown() }),
  /** Its clock's time, ms, at once after a sign of life of this one's. */
  z.object({ kind: z.literal('clock'), ms: z.number(), of: z.number() }),
  z.object({ kind: z.literal('over'), exitCode: z.int() }),
]);
export type FromHarness = z.infer<typeof fromHarnessSchema>;

/** To the harness. */
export const toHarnessSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('started'), generator }),
  /** A reply of a generator, or what it asks to be read. */
  z.object({ kind: z.literal('told'), generator, message: z.unknown() }),
  z.object({ kind: z.literal('gone'), generator, reason: z.string() }),
  /** The user has pressed Ctrl-C, say. */
  z.object({ kind: z.literal('signal'), name: z.enum(['SIGINT', 'SIGTERM', 'SIGHUP']) }),
  /** The connection is there; the time of day here, ms. */
  z.object({ kind: z.literal('alive'), ms: z.number() }),
]);
export type ToHarness = z.infer<typeof toHarnessSchema>;

/** What a generator asks of the machine of the servers, and what it is told. */
export const askSchema = z.object({
  kind: z.literal('read'),
  number: z.int(),
  request: z.unknown(),
});
export const answerSchema = z.object({
  kind: z.literal('reading'),
  number: z.int(),
  outcome: z.union([z.object({ value: z.unknown() }), z.object({ error: z.string() })]),
});
export type Answer = z.infer<typeof answerSchema>;

/** A message as a line. */
export function lineOf(message: FromHarness | ToHarness): string {
  return `${JSON.stringify(message)}\n`;
}

/** The messages of a stream, until it ends. @throws UserError for a line that is none. */
export async function* messagesOf<T>(stream: Readable, schema: z.ZodType<T>): AsyncGenerator<T> {
  for await (const line of createInterface({
    input: stream,
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
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
