import { resolve } from 'node:path';
import { FAILED } from '../base/exit-codes.ts';
import { readJson } from '../base/json-file.ts';
import { standing } from '../base/places.ts';
import { RUN_RECORDS, type RunRecord } from '../record/record.ts';
import type { Depth, Document } from '../report/document.ts';
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

/** Anything that is saved, and can be reported. */
export type AnyRecord = RunRecord | PriceRecord | MethodsRecord;

/** A record's report, and whether all that it shows is right, found, and below its limits. */
interface Report {
  document: Document;
  isSound: boolean;
}

/** Reads a record of any kind and version. @throws UserError as `readJson`. */
export function readAny(path: string): AnyRecord {
  return readJson<AnyRecord>(path, [RUN_RECORDS, PRICE_RECORDS, METHODS_RECORDS]);
}

/** The report of a record. */
export function reportOf(record: AnyRecord, depth: Depth): Report {
  switch (record.schema) {
    case 'overhead.run': {
      const summary = summarize(record);
      const { sections, isFound } = suiteNamed(record.suite).show(summary, depth);
      return {
        document: runDocument(summary, sections, depth),
        isSound: isValid(summary) && isFound,
      };
    }
    case 'overhead.price': {
      const findings = findPrices(record);
      const isAbove = findings.some(
        (each) => each.state === 'measured' && each.verdict === 'above',
      );
      return { document: priceDocument(record, findings), isSound: !isAbove };
    }
    case 'overhead.methods':
      return { document: methodsDocument(record, compareMethods(record)), isSound: true };
  }
}

/** Prints a record as tables or as JSON on stdout, and returns the exit code that it deserves. */
export function printRecord(
  record: AnyRecord,
  { json, ...depth }: Depth & { json: boolean },
): number {
  const { document, isSound } = reportOf(record, depth);
  const text = json
    ? `${JSON.stringify(record)}\n`
    : renderDocument(document, lookOf(process.stdout));
  process.stdout.write(text);
  return isSound ? 0 : FAILED;
}

/** Prints a saved record again, and returns the exit code. */
export function reportCommand(options: ReportOptions): number {
  return printRecord(readAny(resolve(standing(), options.file)), options);
}
