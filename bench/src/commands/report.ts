import type { ReportOptions } from '../options.ts';
import { readPublished } from '../published.ts';
import { type RunRecord, readRecord } from '../record.ts';
import { lookOf } from '../report/look.ts';
import { renderReport } from '../report/terminal.ts';
import { summarize } from '../summary.ts';

/** Prints a saved record again, and returns the exit code. */
export function reportCommand(options: ReportOptions): number {
  return printRecord(readRecord(options.file), options);
}

/** Prints a record as tables or as JSON on stdout, and returns the exit code that it deserves. */
export function printRecord(
  record: RunRecord,
  { json, details }: { json: boolean; details: boolean },
): number {
  if (json) process.stdout.write(`${JSON.stringify(record)}\n`);
  else {
    const summary = summarize(record, readPublished(record.plan.suite));
    process.stdout.write(renderReport(summary, lookOf(process.stdout), { details }));
  }
  return 0;
}
