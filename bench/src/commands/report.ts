import { FAILED, SLOWER, UserError } from '../base/errors.ts';
import { readJson, saveText } from '../base/files.ts';
import { absolute } from '../base/places.ts';
import { type RunRecord, recordSchema } from '../record/record.ts';
import { renderCsv } from '../report/csv.ts';
import type { Depth, Document } from '../report/document.ts';
import { renderPage } from '../report/html/page.ts';
import { runDocument, runPage } from '../report/run-report.ts';
import { machineSection } from '../report/sections/environment.ts';
import { methodsDocument, priceDocument } from '../report/study-reports.ts';
import { type Look, lookOf, type Output } from '../report/terminal/look.ts';
import { renderDocument, renderMarkdown, renderPlain } from '../report/text.ts';
import type { Format } from '../request/options.ts';
import type { GivenOptions } from '../request/run-options.ts';
import { compareMethods } from '../studies/methods/findings.ts';
import { type MethodsRecord, methodsRecordSchema } from '../studies/methods/record.ts';
import { findPrices } from '../studies/price/findings.ts';
import { type PriceRecord, priceRecordSchema } from '../studies/price/record.ts';
import { suiteOf } from '../suites/index.ts';
import { isTooSlow } from '../summary/ab.ts';
import { isValid, type Summary, summarize } from '../summary/summary.ts';
import type { OtherCommand } from './command.ts';

type StudyRecord = PriceRecord | MethodsRecord;
export type AnyRecord = RunRecord | StudyRecord;

/** The report of a record: computed once, and written in any format. */
export interface Report {
  record: AnyRecord;
  /** 0 if everything is valid, found and within its limits; 3 as `--fail-on` says. */
  exitCode: 0 | typeof FAILED | typeof SLOWER;
  /** Null for a study, which has no cells. */
  summary: Summary | null;
  document(depth: Depth): Document;
  /** With everything: a page has room for it. */
  page(): Document;
}

/** Reads a record of any kind and version. @throws UserError as `readJson`. */
export function readAny(path: string): AnyRecord {
  return readJson<AnyRecord>(path, [recordSchema, priceRecordSchema, methodsRecordSchema]);
}

export function reportOf(record: AnyRecord): Report {
  switch (record.schema) {
    case 'overhead.run': {
      const summary = summarize(record);
      const suite = suiteOf(record);
      const isSound = isValid(summary) && suite.isFound(record);
      const isSlower = isTooSlow(summary);
      return {
        record,
        summary,
        exitCode: isSlower ? SLOWER : isSound ? 0 : FAILED,
        document: (depth) => runDocument(summary, suite.show(summary, depth), depth),
        page: () => runPage(summary, suite.show(summary, { details: true })),
      };
    }
    case 'overhead.price': {
      const prices = findPrices(record);
      const isAbove = prices.some(({ verdict }) => verdict === 'above');
      return studyReport(record, isAbove ? FAILED : 0, priceDocument(record, prices));
    }
    case 'overhead.methods':
      return studyReport(record, 0, methodsDocument(record, compareMethods(record)));
  }
}

/** The report of a study, whose page also describes the machine, as that of a run does. */
function studyReport(record: StudyRecord, exitCode: Report['exitCode'], document: Document) {
  const sections = [...document.sections, machineSection(record.machine)];
  const page = { ...document, sections };
  return { record, summary: null, exitCode, document: () => document, page: () => page };
}

export function pageText(reports: readonly Report[]): string {
  return renderPage(reports.map((report) => report.page()));
}

type OutputOptions = Pick<GivenOptions, 'json' | 'plain' | 'details' | 'explain'>;

/** Prints a report as tables, in lines or as JSON. */
export function printReport(report: Report, options: OutputOptions, stdout: Output): void {
  stdout.write(textOf([report], shortFormat(options) ?? 'terminal', options, stdout));
}

function shortFormat({ json, plain }: OutputOptions): 'json' | 'plain' | null {
  return json ? 'json' : plain ? 'plain' : null;
}

export const report: OtherCommand = {
  name: 'report',
  description:
    'prints the tables of saved records again, or makes a page of them; measures nothing',
  options: ['format', 'reportOut', 'json', 'plain', 'details', 'explain'],
  operands: ['<files...>', 'records that runs have saved'],
  async perform({ given, words, refuse }, { stdout }) {
    const short = shortFormat(given);
    const { format = short ?? 'terminal', out } = given;
    if (short !== null && format !== short) {
      refuse(`--${short} cannot be used with --format ${format}`);
    }
    const reports = words.map((file) => reportOf(readAny(absolute(file))));
    await writeOut(textOf(reports, format, given, stdout), 'report', stdout, out);
    return Math.max(...reports.map(({ exitCode }) => exitCode));
  },
};

/** Writes a text of this kind to stdout, or into a file if one is named. @throws UserError as `saveText`. */
export async function writeOut(text: string, kind: string, stdout: Output, out?: string) {
  if (out === undefined) stdout.write(text);
  else await saveText(absolute(out), text, kind);
}

/** @throws UserError for a format that a record can't be written in. */
function textOf(
  reports: readonly Report[],
  format: Format,
  { details = false, explain = false }: OutputOptions,
  stdout: Output,
): string {
  switch (format) {
    case 'html':
      return pageText(reports);
    case 'json':
      return reports.map(({ record }) => `${JSON.stringify(record)}\n`).join('');
    case 'csv':
      return renderCsv(reports.map(summaryOf));
    default: {
      const documents = reports.map((each) => each.document({ details, explain }));
      return WRITERS[format](documents, lookOf(stdout));
    }
  }
}

/** How documents are written in the formats that all of them have. */
export const WRITERS: Record<
  Exclude<Format, 'json' | 'csv'>,
  (documents: readonly Document[], look: Look) => string
> = {
  terminal: (documents, look) => documents.map((each) => renderDocument(each, look)).join('\n\n'),
  plain: (documents, look) => look.text(documents.map(renderPlain).join('\n')),
  markdown: (documents) => documents.map(renderMarkdown).join('\n'),
  html: renderPage,
};

function summaryOf({ record, summary }: Report): Summary {
  if (summary !== null) return summary;
  const message = `a record of ${record.schema} has no cells for a CSV file`;
  throw new UserError(message, 'Use --format json, or --format markdown for its tables.');
}
