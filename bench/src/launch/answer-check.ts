import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../base/json.ts';
import { type Exchange, requestName } from '../targets/exchange.ts';
import type { LocalTarget } from '../targets/targets.ts';
import { ContractError } from './client.ts';
import { declaredCommand, lastLines, runLogged } from './process-group.ts';
import type { LaunchContext } from './server.ts';

/** What a check command prints in its last line. */
export const figuresSchema = z.record(z.string(), z.number());
type Figures = z.infer<typeof figuresSchema>;

/** What a check command found out about a right answer, and whether that was known before. */
export interface Checked {
  figures: Figures;
  isKnown: boolean;
}

/** The figures of answers that were found right, by a hash of command and answer. */
const known = new Map<string, Figures>();

/** The most that the check of one answer may take. */
const CHECK_MS = 30_000;

/**
 * Runs the check command of an exchange on an answer, in the target's folder, with the answer's file as its last
 * word. It prints figures as a line of JSON, or ends with another code than 0 and prints the reason. The same answer
 * is checked once. Null where the exchange has no command.
 * @throws ContractError for an answer that is wrong; when the launch is aborted.
 */
export async function checkAnswer(
  answer: Buffer,
  exchange: Exchange,
  target: LocalTarget,
  context: LaunchContext,
): Promise<Checked | null> {
  const { body } = exchange.expect;
  if (body.kind !== 'check') return null;
  const command = JSON.stringify([target.directory, ...body.command]);
  const hash = createHash('sha256').update(command).update(answer).digest('hex');
  const before = known.get(hash);
  if (before !== undefined) return { figures: before, isKnown: true };
  const file = join(context.folder, `answer-${hash}`);
  writeFileSync(file, answer);
  const log = `${file}.log`;
  const declared = declaredCommand([...body.command, file], target);
  const problem = await runLogged({ ...declared, log }, context, CHECK_MS);
  const printed = lastLines(log, 1)[0] ?? '';
  const wrong = (text: string) => new ContractError(`${requestName(exchange)}: its check ${text}`);
  if (problem !== null) throw wrong(`${problem}: ${printed || 'it said nothing'}`);
  const figures = parseJson(printed, figuresSchema);
  if (figures === null) throw wrong(`printed "${printed}", which is no JSON of figures`);
  known.set(hash, figures);
  return { figures, isKnown: false };
}
