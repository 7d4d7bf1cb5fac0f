import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, explain, UserError } from '../base/errors.ts';
import { PROGRAM, RESULTS } from '../base/places.ts';
import { saveText } from '../base/text-file.ts';
import { openInBrowser } from '../launch/browser.ts';
import type { Saved } from './carry-out.ts';
import type { Io } from './io.ts';
import { asTyped, partsOf } from './record-path.ts';
import { pageText, type Report } from './report.ts';

/** Makes the page of a record beside it, and says where it is. */
export async function savePage(recordPath: string, report: Report): Promise<Saved> {
  const { folder, name } = partsOf(recordPath);
  const path = join(folder, `${name}.html`);
  try {
    await saveText(path, pageText([report]), 'page');
    return { isSaved: true, text: `Its page: ${asTyped(path)}` };
  } catch (error) {
    return { isSaved: false, text: explain(error) };
  }
}

/** Shows the page of the latest run, or says where it is. @throws UserError where there is none. */
export async function openCommand(
  { stdout }: Pick<Io, 'stdout'>,
  folder: string = RESULTS,
): Promise<number> {
  const [latest] = pagesIn(folder).toSorted((a, b) => b.savedMs - a.savedMs);
  if (latest === undefined) {
    const next = `Measure something first: ${PROGRAM} run 'node server.js' --quick.`;
    throw new UserError(`there is no page in ${asTyped(folder)}`, next);
  }
  const isShown = await openInBrowser(latest.path);
  const path = asTyped(latest.path);
  stdout.write(isShown ? `Opened ${path}\n` : `There is no browser here to open ${path}\n`);
  return 0;
}

function pagesIn(folder: string): { path: string; savedMs: number }[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.html'))
      .map((name) => join(folder, name))
      .map((path) => ({ path, savedMs: statSync(path).mtimeMs }));
  } catch (error) {
    // Before the first run there is no folder.
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
