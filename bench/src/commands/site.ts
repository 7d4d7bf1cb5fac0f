import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { messageOf, UserError } from '../base/errors.ts';
import { FAILED } from '../base/exit-codes.ts';
import { RESULTS, standing } from '../base/places.ts';
import { saveText } from '../base/text-file.ts';
import { type IndexEntry, renderIndex } from '../report/html/index-page.ts';
import { renderPage } from '../report/html/page.ts';
import { type JudgedRun, publishedDocument } from '../report/published-report.ts';
import { summarizeClaims } from '../summary/claims.ts';
import { judgementsOf } from '../summary/published.ts';
import type { Io, OtherCommand } from './command.ts';
import { asTyped, partsOf } from './record-path.ts';
import { IN_SHORT, pageText, type Report, readAny, reportOf } from './report.ts';

/** What the page of the claims is called, which no record's page is. */
const CLAIMS = 'published-claims.html';

export const site: OtherCommand = {
  name: 'site',
  description: 'makes a folder of pages, with an index, out of a folder of records',
  options: ['from'],
  operands: ['<folder>', 'where the pages go'],
  usual: { from: 'results' },
  perform: ({ words: [folder = ''], given: { from = RESULTS } }, io) => {
    return makeSite(folder, resolve(standing(), from), io);
  },
};

/**
 * Makes a page of every record of a folder, one of the published claims that they judge, and an index. Files that
 * are no records are left out, and told. Returns the exit code. @throws UserError where there is no record, or a page can't be written.
 */
async function makeSite(folder: string, source: string, { stdout, stderr }: Io): Promise<number> {
  const target = resolve(standing(), folder);
  const entries: IndexEntry[] = [];
  const judged: JudgedRun[] = [];
  let isWhole = true;
  for (const file of recordsIn(source)) {
    try {
      const href = `${partsOf(file).name}.html`;
      if (href === CLAIMS || entries.some((entry) => entry.href === href)) {
        throw new UserError(`${file}: another record has the page ${href}`, 'Rename one of them.');
      }
      const report = reportOf(readAny(join(source, file)));
      await saveText(join(target, href), pageText([report]), 'page');
      entries.push(entryOf(report, href));
      judged.push(...judgedRun(report, partsOf(file).name));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      isWhole = false;
      stderr.write(`Left out: ${error.message}\n`);
    }
  }
  if (entries.length === 0) {
    const next = 'Name a folder of records with --from; runs save them in results/.';
    throw new UserError(`no record in ${asTyped(source)} became a page`, next);
  }
  const path = join(target, 'index.html');
  const claims = publishedDocument(judged);
  if (claims) await saveText(join(target, CLAIMS), renderPage([claims]), 'page');
  await saveText(path, renderIndex(entries, claims && CLAIMS), 'index');
  const pages = entries.length === 1 ? '1 page' : `${entries.length} pages`;
  stdout.write(`${pages} and ${asTyped(path)}\n`);
  return isWhole ? 0 : FAILED;
}

/** What a run says of published claims; nothing where nothing was published of its kind. */
function judgedRun({ record, summary }: Report, name: string): JudgedRun[] {
  if (record.schema !== 'overhead.run' || summary === null) return [];
  const judgements = judgementsOf(record);
  if (judgements === null) return [];
  return [{ name, record, table: summarizeClaims(record, summary.conditions, judgements) }];
}

function recordsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /\.json(\.gz)?$/.test(name))
      .toSorted();
  } catch (cause) {
    const next = 'Name a folder of records with --from; runs save them in results/.';
    throw new UserError(`can't read ${folder}: ${messageOf(cause)}`, next, { cause });
  }
}

function entryOf({ record, document }: Report, href: string): IndexEntry {
  const { title } = document(IN_SHORT);
  return { href, title, startedAt: record.startedAt, machine: record.machine };
}
