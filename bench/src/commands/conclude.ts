import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explain } from '../base/errors.ts';
import { FAILED, WRONG } from '../base/exit-codes.ts';
import { saveText } from '../base/text-file.ts';
import type { RunConsole } from './carry-out.ts';
import { asTyped, partsOf } from './record-path.ts';
import { type AnyRecord, type OutputOptions, pageText, printReport, reportOf } from './report.ts';

/**
 * The end of a run, of which so much was measured: its record is saved and printed, its page made, and where
 * they are is said. Returns the exit code.
 */
export async function conclude(
  path: string,
  record: AnyRecord,
  save: (path: string) => Promise<void>,
  measured: 'all' | 'a part' | 'nothing',
  options: OutputOptions,
  { say, stdout, interrupts, isRelayed }: RunConsole,
): Promise<number> {
  const saved = await saveSomewhere(path, save);
  const report = reportOf(record);
  const deserved = printReport(report, options, stdout);
  let isWhole = measured === 'all' && saved.path === path;
  if (!isRelayed) {
    say(saved.text);
    const { folder, name } = partsOf(saved.path);
    const page = join(folder, `${name}.html`);
    const shown = await attempt(
      () => saveText(page, pageText([report]), 'page'),
      `Its page: ${asTyped(page)}`,
    );
    say(shown.text);
    isWhole &&= shown.isDone;
  }
  const code = isWhole ? deserved : FAILED;
  return interrupts.exitCode() ?? (measured === 'nothing' ? WRONG : code);
}

/** Where the record was asked for, or else in the temporary folder: the disk may be full, or the folder gone. */
async function saveSomewhere(
  path: string,
  save: (path: string) => Promise<void>,
): Promise<{ path: string; text: string }> {
  const asked = await attempt(() => save(path), `Saved as ${asTyped(path)}`);
  if (asked.isDone) return { path, text: asked.text };
  const { name, ending } = partsOf(path);
  const elsewhere = join(tmpdir(), `${name}-${process.pid}${ending}`);
  const spare = await attempt(() => save(elsewhere), `Saved as ${elsewhere} instead`);
  return { path: spare.isDone ? elsewhere : path, text: `${asked.text}\n${spare.text}` };
}

/** What was measured is still worth showing where it can't be saved. */
async function attempt(
  save: () => Promise<void>,
  done: string,
): Promise<{ isDone: boolean; text: string }> {
  try {
    await save();
    return { isDone: true, text: done };
  } catch (error) {
    return { isDone: false, text: explain(error) };
  }
}
