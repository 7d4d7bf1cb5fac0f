import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FAILED, orUserError, UserError } from '../base/errors.ts';
import { saveText } from '../base/files.ts';
import { absolute, RESULTS } from '../base/places.ts';
import { plural } from '../report/format.ts';
import { type IndexEntry, renderIndex, renderPage } from '../report/html/page.ts';
import { type JudgedRun, publishedDocument } from '../report/published-report.ts';
import { summarizeClaims } from '../summary/claims.ts';
import { judgementsOf } from '../summary/published.ts';
import type { Io, OtherCommand } from './command.ts';
import { type Report, readAny, reportOf } from './report.ts';
import { asTyped, partsOf } from './save.ts';

/** The page of the claims; no record's page may have this name. */
const CLAIMS = 'published-claims.html';
const NAME_FOLDER = 'Name a folder of records with --from; runs save them in results/.';

export const site: OtherCommand = {
  name: 'site',
  description: 'makes a folder of pages, with an index, out of a folder of records',
  options: ['from'],
  operands: ['<folder>', 'where the pages go'],
  perform: ({ words: [folder = ''], given: { from = RESULTS } }, io) => {
    return makeSite(absolute(folder), absolute(from), io);
  },
};

/** Makes a page of each record, one of the claims they judge, and an index. @throws UserError if there is no record. */
async function makeSite(target: string, source: string, { stdout, stderr }: Io): Promise<number> {
  const entries: IndexEntry[] = [];
  const judged: JudgedRun[] = [];
  const files = recordsIn(source);
  for (const file of files) {
    try {
      const { name } = partsOf(file);
      const href = `${name}.html`;
      if (href === CLAIMS || entries.some((entry) => entry.href === href)) {
        throw new UserError(`${file}: another record has the page ${href}`, 'Rename one of them.');
      }
      const report = reportOf(readAny(join(source, file)));
      const page = report.page();
      await saveText(join(target, href), renderPage([page]), 'page');
      const { startedAt, machine } = report.record;
      entries.push({ href, title: page.title, startedAt, machine });
      judged.push(...judgedRun(report, name));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      stderr.write(`Left out: ${error.message}\n`);
    }
  }
  if (entries.length === 0) {
    throw new UserError(`no record in ${asTyped(source)} became a page`, NAME_FOLDER);
  }
  const path = join(target, 'index.html');
  const claims = publishedDocument(judged);
  if (claims) await saveText(join(target, CLAIMS), renderPage([claims]), 'page');
  await saveText(path, renderIndex(entries, claims && CLAIMS), 'index');
  stdout.write(`${plural(entries.length, 'page')} and ${asTyped(path)}\n`);
  return entries.length === files.length ? 0 : FAILED;
}

/** What a run says of published claims; empty if nothing was published about its kind. */
function judgedRun({ record, summary }: Report, name: string): JudgedRun[] {
  if (record.schema !== 'overhead.run' || summary === null) return [];
  const judgements = judgementsOf(record);
  if (judgements === null) return [];
  return [{ name, record, table: summarizeClaims(summary, judgements) }];
}

function recordsIn(folder: string): string[] {
  const names = orUserError(`can't read ${folder}`, NAME_FOLDER, () => readdirSync(folder));
  return names.filter((name) => /\.json(\.gz)?$/.test(name)).toSorted();
}
