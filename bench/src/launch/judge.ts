import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { LocalTarget } from '../targets/targets.ts';
import { runLogged } from './logged.ts';
import { type LaunchContext, lastLines, programOf, targetEnvironment } from './server.ts';

const figuresSchema = z.record(z.string(), z.number());

type Figures = z.infer<typeof figuresSchema>;

/** What a command found out about an answer: figures of its own, or what is wrong. */
export type Judgement =
  | { state: 'right'; figures: Figures; isKnown: boolean }
  | { state: 'wrong'; message: string };

/** What was found right already, by a hash of command and answer. */
const known = new Map<string, Figures>();

/** Looking at one answer takes no longer. */
const JUDGE_MS = 30_000;

/**
 * Has a command judge an answer, in the target's folder, with the answer's file as its last word. It prints
 * figures as a line of JSON, or ends with another code than 0 and prints the reason. The same answer is judged
 * once: `isKnown` says that it was judged before.
 * @throws when the launch is aborted.
 */
export async function judge(
  answer: Buffer,
  [program, ...words]: [string, ...string[]],
  target: Pick<LocalTarget, 'directory' | 'env' | 'passed'>,
  context: LaunchContext,
): Promise<Judgement> {
  const asked = JSON.stringify([target.directory, program, ...words]);
  const hash = createHash('sha256').update(asked).update(answer).digest('hex');
  const before = known.get(hash);
  if (before !== undefined) return { state: 'right', figures: before, isKnown: true };
  const file = join(context.folder, `answer-${hash}`);
  writeFileSync(file, answer);
  const log = `${file}.log`;
  const ended = await runLogged(
    {
      command: [programOf({ start: [program], runtime: null }), ...words, file],
      environment: targetEnvironment(target),
      ...{ log, cores: null, channel: false, directory: target.directory },
    },
    JUDGE_MS,
    context,
  );
  const said = lastLines(log, 1)[0] ?? '';
  if (ended.state === 'failed') {
    return { state: 'wrong', message: `its check ${ended.message}: ${said || 'it said nothing'}` };
  }
  const figures = figuresIn(said);
  if (figures === null) {
    return { state: 'wrong', message: `its check printed "${said}", which is no JSON of figures` };
  }
  known.set(hash, figures);
  return { state: 'right', figures, isKnown: false };
}

/** The figures in a line that a check printed; null where it is none of them. */
export function figuresIn(text: string): Figures | null {
  try {
    return figuresSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
