import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { UserError } from '../base/errors.ts';
import { PROGRAM, RESULTS } from '../base/places.ts';
import type { Io, OtherCommand } from './command.ts';
import { asTyped } from './save.ts';

export const open: OtherCommand = {
  name: 'open',
  description: 'shows the page of the latest run in the browser',
  options: [],
  perform: (_, io) => openLatest(io),
};

/** Shows the page of the latest run, or says where it is. @throws UserError if there is none. */
export async function openLatest({ stdout }: Pick<Io, 'stdout'>, folder: string = RESULTS) {
  // Before the first run there is no folder.
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const pages = names.filter((name) => name.endsWith('.html')).map((name) => join(folder, name));
  const [latest] = pages.toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  if (latest === undefined) {
    const next = `Measure something first: ${PROGRAM} run 'node server.js' --quick.`;
    throw new UserError(`there is no page in ${asTyped(folder)}`, next);
  }
  const isShown = await openInBrowser(latest);
  const path = asTyped(latest);
  stdout.write(isShown ? `Opened ${path}\n` : `There is no browser here to open ${path}\n`);
  return 0;
}

const OPENERS: Partial<Record<NodeJS.Platform, string>> = { linux: 'xdg-open', darwin: 'open' };

/** Opens a page in the user's browser. Returns whether there was anything to open it with, and a screen. */
async function openInBrowser(path: string): Promise<boolean> {
  const opener = OPENERS[process.platform];
  const hasScreen =
    process.platform === 'darwin' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
  if (opener === undefined || !hasScreen) return false;
  const { failed } = await execa(opener, [path], { stdio: 'ignore', reject: false });
  return !failed;
}
