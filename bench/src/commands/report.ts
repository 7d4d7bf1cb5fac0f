import { resolve } from 'node:path';
import { UserError } from '../base/errors.ts';
import { FAILED } from '../base/exit-codes.ts';
import { readJson } from '../base/json-file.ts';
import { standing } from '../base/places.ts';
import { saveText } from '../base/text-file.ts';
import { RUN_RECORDS, type RunRecord } from '../record/record.ts';
import { renderCsv } from '../report/csv.ts';
import type { Depth, Document } from '../report/document.ts';
import { renderPage } from '../report/html/page.ts';
import { renderMarkdown } from '../report/markdown.ts';
import { methodsDocument } from '../report/methods-report.ts';
import { renderPlain } from '../report/plain.ts';
import { priceDocument } from '../report/price-report.ts';
import { runDocument, runPage } from '../report/run-report.ts';
import { lookOf } from '../report/terminal/look.ts';
import { renderDocument } from '../report/terminal/render.ts';
import type { Format, ReportOptions } from '../request/options.ts';
import { compareMethods } from '../studies/methods/findings.ts';
import { METHODS_RECORDS, type MethodsRecord } from '../studies/methods/record.ts';
import { findPrices } from '../studies/price/findings.ts';
import { PRICE_RECORDS, type PriceRecord } from '../studies/price/record.ts';
import { suiteNamed } from '../suites/index.ts';
import { isValid, summarize } from '../summary/summary.ts';

export const IN_SHORT: Depth = { details: false, explain: false };
const EVERYTHING: Depth = { details: true, explain: true };

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

/** Records as one page, with everything that there is to show of each. */
export function pageText(records: readonly AnyRecord[]): string {
  return renderPage(
    records.map((record) => {
      if (record.schema !== 'overhead.run') return reportOf(record, EVERYTHING).document;
      const summary = summarize(record);
      const { sections } = suiteNamed(record.suite).show(summary, EVERYTHING);
      return runPage(summary, sections);
    }),
  );
}

/** Prints a record as tables or as JSON on stdout, and returns the exit code that it deserves. */
export function printRecord(
  record: AnyRecord,
  { json, plain, ...depth }: Depth & { json: boolean; plain: boolean },
): number {
  const format = json ? 'json' : plain ? 'plain' : 'terminal';
  process.stdout.write(textOf([record], format, depth));
  return codeOf([record]);
}

/** Writes the report of saved records in a format, to stdout or into a file, and returns the exit code. */
export async function reportCommand({
  files,
  format,
  out,
  ...depth
}: ReportOptions): Promise<number> {
  const records = files.map((file) => readAny(resolve(standing(), file)));
  const text = textOf(records, format, depth);
  if (out === null) process.stdout.write(text);
  else await saveText(resolve(standing(), out), text, 'report');
  return codeOf(records);
}

/** @throws UserError for a format that a record has not. */
function textOf(records: readonly AnyRecord[], format: Format, depth: Depth): string {
  const documents = () => records.map((record) => reportOf(record, depth).document);
  switch (format) {
    case 'terminal': {
      const look = lookOf(process.stdout);
      return documents()
        .map((document) => renderDocument(document, look))
        .join('\n\n');
    }
    case 'plain':
      return lookOf(process.stdout).text(documents().map(renderPlain).join('\n'));
    case 'markdown':
      return documents().map(renderMarkdown).join('\n');
    case 'html':
      return pageText(records);
    case 'json':
      return records.map((record) => `${JSON.stringify(record)}\n`).join('');
    case 'csv':
      return renderCsv(records.map(runOf).map(summarize));
  }
}

function runOf(record: AnyRecord): RunRecord {
  if (record.schema === 'overhead.run') return record;
  throw new UserError(
    `a record of ${record.schema} has no cells for a CSV file`,
    'Take --format json, or one of its tables with --format markdown.',
  );
}

function codeOf(records: readonly AnyRecord[]): number {
  const isSound = records.every((record) => reportOf(record, IN_SHORT).isSound);
  return isSound ? 0 : FAILED;
}
