/** What a comparison of a pull request leaves for whoever comments it. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { messageOf, SLOWER } from '../src/base/errors.ts';
import { reportOf } from '../src/commands/report.ts';
import { recordSchema } from '../src/record/record.ts';
import { renderMarkdown } from '../src/report/text.ts';

/** The full hash of a commit. */
export const commitSchema = z.string().regex(/^[0-9a-f]{40}$/, 'is not the full hash of a commit');

const resultSchema = z.object({
  schema: z.literal('overhead.pull-request'),
  version: z.literal(1),
  /** The revision that was measured against its base. */
  head: commitSchema,
  /** Of the comparison. */
  exitCode: z.int(),
  /** What it said last. */
  said: z.string(),
  /** Null where nothing was measured. */
  record: recordSchema.nullable(),
});
export type Result = z.infer<typeof resultSchema>;

/** A record has 1 to 5 MB. */
const LARGEST_BYTES = 30e6;
/** GitHub takes comments of 65,536 characters. */
const LONGEST_TEXT = 60_000;
const LONGEST_SAID = 4000;

export function writeResult(path: string, result: Omit<Result, 'schema' | 'version'>): void {
  writeFileSync(path, JSON.stringify({ schema: 'overhead.pull-request', version: 1, ...result }));
}

/** A result that anybody may have written. @throws Error with the reason for one that is not as it should be. */
export function readResult(path: string): Result {
  const { size } = statSync(path);
  if (size > LARGEST_BYTES) throw new Error(`the result is too large: ${size} bytes`);
  try {
    return resultSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    const message = messageOf(cause).slice(0, 200);
    throw new Error(`the result can't be read: ${message}`, { cause });
  }
}

/** The result in Markdown that links nowhere and calls nobody, however it was written. */
export function textOf({ head, exitCode, said, record }: Result): string {
  const short = shortHash(head);
  const report =
    record === null
      ? `# overhead\n\n${short} could not be compared (exit code ${exitCode}):\n`
      : renderMarkdown(reportOf(record).document({ details: false, explain: false }));
  const why = exitCode === 0 || exitCode === SLOWER ? '' : indented(said.slice(-LONGEST_SAID));
  const text = `${report}\n${why}\nHead: ${short}.`;
  return harmless(text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}\n\n…` : text);
}

/** A commit as it is shown. */
export function shortHash(commit: string): string {
  return commit.slice(0, 10);
}

/** As code: what a program wrote may hold any marks. */
function indented(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}

/** Without mentions and links, also in code. */
function harmless(text: string): string {
  return text.replaceAll('@', '@\u200b').replaceAll('://', ':\u200b//').replaceAll('<', '&lt;');
}
