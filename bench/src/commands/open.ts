import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, UserError } from '../base/errors.ts';
import { PROGRAM, RESULTS } from '../base/places.ts';
import { openInBrowser } from '../launch/browser.ts';
import type { Io, OtherCommand } from './command.ts';
import { asTyped } from './record-path.ts';

export const open: OtherCommand = {
  name: 'open',
  description: 'shows the page of the latest run in the browser',
  options: [],
  operands: null,
  usual: {},
  perform: (_, io) => openLatest(io),
};

/** Shows the page of the latest run, or says where it is. @throws UserError where there is none. */
export async function openLatest(
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
