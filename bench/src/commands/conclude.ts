import { type RunConsole, saveAtEnd } from './carry-out.ts';
import { savePage } from './page.ts';
import { type AnyRecord, type OutputOptions, printReport, reportOf } from './report.ts';

/** What became of a record at the end of its run. */
export interface Concluded {
  /** Both it and its page are saved. */
  isKept: boolean;
  /** The exit code that what it says deserves. */
  deserved: number;
}

/** The end of a run: its record is saved and printed, its page made, and where they are is said. */
export async function conclude(
  path: string,
  record: AnyRecord,
  save: () => Promise<void>,
  options: OutputOptions,
  { say, stdout }: Pick<RunConsole, 'say' | 'stdout'>,
): Promise<Concluded> {
  const saved = await saveAtEnd(path, save);
  const report = reportOf(record);
  const deserved = printReport(report, options, stdout);
  say(saved.text);
  const page = await savePage(path, report);
  say(page.text);
  return { isKept: saved.isSaved && page.isSaved, deserved };
}
