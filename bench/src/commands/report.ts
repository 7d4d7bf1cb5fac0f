import { resolve } from 'node:path';
import { UserError } from '../base/errors.ts';
import { FAILED, SLOWER } from '../base/exit-codes.ts';
import { readJson } from '../base/json-file.ts';
import { standing } from '../base/places.ts';
import { saveText } from '../base/text-file.ts';
import { type RunRecord, recordSchema } from '../record/record.ts';
import { renderCsv } from '../report/csv.ts';
import type { Depth, Document } from '../report/document.ts';
import { renderPage } from '../report/html/page.ts';
import { renderMarkdown } from '../report/markdown.ts';
import { methodsDocument } from '../report/methods-report.ts';
import { renderPlain } from '../report/plain.ts';
import { priceDocument } from '../report/price-report.ts';
import { runDocument, runPage } from '../report/run-report.ts';
import { machineSection } from '../report/sections/settings.ts';
import { lookOf, type Output } from '../report/terminal/look.ts';
import { renderDocument } from '../report/terminal/render.ts';
import type { Format } from '../request/run-options.ts';
import { compareMethods } from '../studies/methods/findings.ts';
import { type MethodsRecord, methodsRecordSchema } from '../studies/methods/record.ts';
import { findPrices } from '../studies/price/findings.ts';
import { type PriceRecord, priceRecordSchema } from '../studies/price/record.ts';
import { suiteOf } from '../suites/index.ts';
import { isTooSlow } from '../summary/ab.ts';
import { isValid, type Summary, summarize } from '../summary/summary.ts';
import type { OtherCommand } from './command.ts';

export const IN_SHORT: Depth = { details: false, explain: false };
const EVERYTHING: Depth = { details: true, explain: true };

/** Anything that is saved, and can be reported. */
export type AnyRecord = RunRecord | PriceRecord | MethodsRecord;

/** What there is to tell of a record: worked out once, and written in as many ways as are asked for. */
export interface Report {
  record: AnyRecord;
  /** Whether all that it shows is right, found, and below its limits. */
  isSound: boolean;
  /** Whether a side of it is slower by at least the limit of `--fail-on`. */
  isTooSlow: boolean;
  /** Of a run, whose cells make rows; null of others. */
  summary: Summary | null;
  document(depth: Depth): Document;
  /** With all that a page has room for. */
  page(): Document;
}

/** Reads a record of any kind and version. @throws UserError as `readJson`. */
export function readAny(path: string): AnyRecord {
  return readJson<AnyRecord>(path, [recordSchema, priceRecordSchema, methodsRecordSchema]);
}

/** What there is of runs alone. */
const OF_NO_RUN = { summary: null, isTooSlow: false };

/** The report of a record. */
export function reportOf(record: AnyRecord): Report {
  switch (record.schema) {
    case 'overhead.run': {
      const summary = summarize(record);
      const suite = suiteOf(record);
      return {
        record,
        summary,
        isSound: isValid(summary) && suite.isFound(record),
        isTooSlow: isTooSlow(record, summary.conditions),
        document: (depth) => runDocument(summary, suite.show(summary, depth), depth),
        page: () => runPage(summary, suite.show(summary, EVERYTHING)),
      };
    }
    case 'overhead.price': {
      const findings = findPrices(record);
      const isAbove = findings.some(
        (each) => each.state === 'measured' && each.verdict === 'above',
      );
      const document = () => priceDocument(record, findings);
      const page = () => onMachine(document(), record);
      return { ...OF_NO_RUN, record, isSound: !isAbove, document, page };
    }
    case 'overhead.methods': {
      const document = () => methodsDocument(record, compareMethods(record));
      const page = () => onMachine(document(), record);
      return { ...OF_NO_RUN, record, isSound: true, document, page };
    }
  }
}

/** The page of a study: a run's own says on what it was measured. */
function onMachine(document: Document, { machine }: AnyRecord): Document {
  return { ...document, sections: [...document.sections, machineSection(machine)] };
}

/** Reports as one page, with everything that there is to show of each. */
export function pageText(reports: readonly Report[]): string {
  return renderPage(reports.map((report) => report.page()));
}

/** How a run prints what it measured. */
export type OutputOptions = Depth & { json: boolean; plain: boolean };

/** Prints a report as tables, in lines or as JSON, and returns the exit code that it deserves. */
export function printReport(
  report: Report,
  { json, plain, ...depth }: OutputOptions,
  stdout: Output,
): number {
  const format = json ? 'json' : plain ? 'plain' : 'terminal';
  stdout.write(textOf([report], format, depth, stdout));
  return codeOf([report]);
}

/** Writes the report of saved records in a format, to stdout or into a file. */
export const report: OtherCommand = {
  name: 'report',
  description:
    'prints the tables of saved records again, or makes a page of them; measures nothing',
  options: ['format', 'reportOut', 'json', 'plain', 'details', 'explain'],
  operands: ['<files...>', 'records that runs have saved'],
  usual: { format: 'terminal', reportOut: 'stdout' },
  async perform({ given, words, refuse }, { stdout }) {
    const short = given.json ? 'json' : given.plain ? 'plain' : null;
    const { format = short ?? 'terminal', out, details = false, explain = false } = given;
    if (short !== null && format !== short) {
      refuse(`--${short} has no meaning beside --format ${format}`);
    }
    const reports = words.map((file) => reportOf(readAny(resolve(standing(), file))));
    const text = textOf(reports, format, { details, explain }, stdout);
    await writeOut(text, out, 'report', stdout);
    return codeOf(reports);
  },
};

/** Writes a text of this kind to stdout, or into a file where one is named. @throws UserError as `saveText`. */
export async function writeOut(
  text: string,
  out: string | undefined,
  kind: string,
  stdout: Output,
): Promise<void> {
  if (out === undefined) stdout.write(text);
  else await saveText(resolve(standing(), out), text, kind);
}

/** @throws UserError for a format that a record has not. */
function textOf(reports: readonly Report[], format: Format, depth: Depth, stdout: Output): string {
  switch (format) {
    case 'html':
      return pageText(reports);
    case 'json':
      return reports.map(({ record }) => `${JSON.stringify(record)}\n`).join('');
    case 'csv':
      return renderCsv(reports.map(summaryOf));
    default: {
      const documents = reports.map((report) => report.document(depth));
      return documentsText(documents, format, stdout);
    }
  }
}

/** Documents in a format that every document has. */
export function documentsText(
  documents: readonly Document[],
  format: Exclude<Format, 'json' | 'csv'>,
  stdout: Output,
): string {
  switch (format) {
    case 'terminal': {
      const look = lookOf(stdout);
      return documents.map((document) => renderDocument(document, look)).join('\n\n');
    }
    case 'plain':
      return lookOf(stdout).text(documents.map(renderPlain).join('\n'));
    case 'markdown':
      return documents.map(renderMarkdown).join('\n');
    case 'html':
      return renderPage(documents);
  }
}

function summaryOf({ record, summary }: Report): Summary {
  if (summary !== null) return summary;
  throw new UserError(
    `a record of ${record.schema} has no cells for a CSV file`,
    'Take --format json, or one of its tables with --format markdown.',
  );
}

function codeOf(reports: readonly Report[]): number {
  if (reports.some((report) => report.isTooSlow)) return SLOWER;
  return reports.every(({ isSound }) => isSound) ? 0 : FAILED;
}
