import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Exchange, requestName } from '../targets/exchange.ts';
import type { LocalTarget } from '../targets/targets.ts';
import { Breach } from './ask.ts';
import { type Logged, lastLines, runLogged } from './process-group.ts';
import { type LaunchContext, programOf, targetEnvironment } from './server.ts';

const figuresSchema = z.record(z.string(), z.number());

type Figures = z.infer<typeof figuresSchema>;

/** What a command found out about an answer that is right, and whether that was known before. */
export interface Judgement {
  figures: Figures;
  isKnown: boolean;
}

/** What was found right already, by a hash of command and answer. */
const known = new Map<string, Figures>();

/** Looking at one answer takes no longer. */
const JUDGE_MS = 30_000;

/**
 * Has the command that an exchange names judge an answer, in the target's folder, with the answer's file as its last
 * word. It prints figures as a line of JSON, or ends with another code than 0 and prints the reason. The same answer
 * is judged once. Null where no command is named.
 * @throws Breach where it is wrong; when the launch is aborted.
 */
export async function judge(
  answer: Buffer,
  exchange: Exchange,
  target: Pick<LocalTarget, 'directory' | 'env' | 'passed'>,
  context: LaunchContext,
): Promise<Judgement | null> {
  const { body } = exchange.expect;
  if (body.kind !== 'check') return null;
  const [program, ...words] = body.command;
  const { directory } = target;
  const asked = JSON.stringify([directory, program, ...words]);
  const hash = createHash('sha256').update(asked).update(answer).digest('hex');
  const before = known.get(hash);
  if (before !== undefined) return { figures: before, isKnown: true };
  const file = join(context.folder, `answer-${hash}`);
  writeFileSync(file, answer);
  const log = `${file}.log`;
  const logged: Logged = {
    command: [programOf({ start: [program], runtime: null }), ...words, file],
    ...{ log, directory, environment: targetEnvironment(target) },
  };
  const problem = await runLogged(logged, JUDGE_MS, context);
  const said = lastLines(log, 1)[0] ?? '';
  const wrong = (text: string) => new Breach(`${requestName(exchange)}: its check ${text}`);
  if (problem !== null) throw wrong(`${problem}: ${said || 'it said nothing'}`);
  const figures = figuresIn(said);
  if (figures === null) throw wrong(`printed "${said}", which is no JSON of figures`);
  known.set(hash, figures);
  return { figures, isKnown: false };
}

/** The figures in a line that a check printed; null where it is none of them. */
export function figuresIn(text: string): Figures | null {
  try {
    return figuresSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
