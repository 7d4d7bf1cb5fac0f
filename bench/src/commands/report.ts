import { FAILED } from '../base/exit-codes.ts';
import { readJson } from '../base/json-file.ts';
import { type RunRecord, recordSchema } from '../record/record.ts';
import { lookOf } from '../report/look.ts';
import { renderMethods } from '../report/methods-table.ts';
import { renderPrices } from '../report/price-table.ts';
import { renderReport } from '../report/terminal.ts';
import type { ReportOptions } from '../request/options.ts';
import { compareMethods } from '../studies/methods/findings.ts';
import { type MethodsRecord, methodsRecordSchema } from '../studies/methods/record.ts';
import { METHODS_UPGRADES } from '../studies/methods/upgrades.ts';
import { findPrices } from '../studies/price/findings.ts';
import { type PriceRecord, priceRecordSchema } from '../studies/price/record.ts';
import { readPublished } from '../summary/published.ts';
import { isSound, summarize } from '../summary/summary.ts';

/** Prints a saved record again, and returns the exit code. */
export function reportCommand(options: ReportOptions): number {
  const schemas = [recordSchema, priceRecordSchema, methodsRecordSchema];
  const record = readJson(options.file, schemas, { 'overhead.methods': METHODS_UPGRADES });
  switch (record.schema) {
    case 'overhead.run':
      return printRecord(record, options);
    case 'overhead.price':
      return printPrices(record, options);
    case 'overhead.methods':
      return printMethods(record, options);
  }
}

/** Prints a record as tables or as JSON on stdout, and returns the exit code that it deserves. */
export function printRecord(
  record: RunRecord,
  { json, details }: { json: boolean; details: boolean },
): number {
  const summary = summarize(record, readPublished(record.plan.suite));
  if (json) process.stdout.write(`${JSON.stringify(record)}\n`);
  else process.stdout.write(renderReport(summary, lookOf(process.stdout), { details }));
  return isSound(summary) ? 0 : FAILED;
}

/** Prints what measuring adds, as `printRecord` does; what is shown to add too much deserves a 1. */
export function printPrices(record: PriceRecord, { json }: { json: boolean }): number {
  const findings = findPrices(record);
  if (json) process.stdout.write(`${JSON.stringify(record)}\n`);
  else process.stdout.write(renderPrices(record, findings, lookOf(process.stdout)));
  const tooMuch = findings.some((each) => each.state === 'measured' && each.verdict === 'above');
  return tooMuch ? FAILED : 0;
}

/** Prints how far apart the repeats of two methods came out, as `printRecord` does. */
export function printMethods(record: MethodsRecord, { json }: { json: boolean }): number {
  if (json) process.stdout.write(`${JSON.stringify(record)}\n`);
  else process.stdout.write(renderMethods(record, compareMethods(record), lookOf(process.stdout)));
  return 0;
}
