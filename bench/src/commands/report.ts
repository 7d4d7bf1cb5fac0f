import { FAILED } from '../base/exit-codes.ts';
import { readJson } from '../base/json-file.ts';
import { RUN_RECORDS, type RunRecord } from '../record/record.ts';
import type { Document } from '../report/document.ts';
import { methodsDocument } from '../report/methods-report.ts';
import { priceDocument } from '../report/price-report.ts';
import { runDocument } from '../report/run-report.ts';
import { lookOf } from '../report/terminal/look.ts';
import { renderDocument } from '../report/terminal/render.ts';
import type { ReportOptions } from '../request/options.ts';
import { compareMethods } from '../studies/methods/findings.ts';
import { METHODS_RECORDS, type MethodsRecord } from '../studies/methods/record.ts';
import { findPrices } from '../studies/price/findings.ts';
import { PRICE_RECORDS, type PriceRecord } from '../studies/price/record.ts';
import { suiteNamed } from '../suites/index.ts';
import { isValid, summarize } from '../summary/summary.ts';

/** Prints a saved record again, and returns the exit code. */
export function reportCommand(options: ReportOptions): number {
  const kinds = [RUN_RECORDS, PRICE_RECORDS, METHODS_RECORDS];
  const record = readJson<RunRecord | PriceRecord | MethodsRecord>(options.file, kinds);
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
  const summary = summarize(record);
  const { sections, isFound } = suiteNamed(record.suite).show(summary, { details });
  if (json) printJson(record);
  else printDocument(runDocument(summary, sections));
  return isValid(summary) && isFound ? 0 : FAILED;
}

/** Prints what measuring adds, as `printRecord` does; what is shown to add too much deserves a 1. */
export function printPrices(record: PriceRecord, { json }: { json: boolean }): number {
  const findings = findPrices(record);
  if (json) printJson(record);
  else printDocument(priceDocument(record, findings));
  const tooMuch = findings.some((each) => each.state === 'measured' && each.verdict === 'above');
  return tooMuch ? FAILED : 0;
}

/** Prints how far apart the repeats of two methods came out, as `printRecord` does. */
export function printMethods(record: MethodsRecord, { json }: { json: boolean }): number {
  if (json) printJson(record);
  else printDocument(methodsDocument(record, compareMethods(record)));
  return 0;
}

function printJson(record: RunRecord | PriceRecord | MethodsRecord): void {
  process.stdout.write(`${JSON.stringify(record)}\n`);
}

function printDocument(document: Document): void {
  process.stdout.write(renderDocument(document, lookOf(process.stdout)));
}
