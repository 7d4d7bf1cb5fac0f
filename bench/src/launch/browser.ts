import { execa } from 'execa';

/** What opens a file in the program that the user has for it, by the system. */
const OPENERS: Partial<Record<NodeJS.Platform, string>> = { linux: 'xdg-open', darwin: 'open' };

/** Opens a page in the user's browser. Returns whether there was anything to open it with, and a screen. */
export async function openInBrowser(path: string): Promise<boolean> {
  const opener = OPENERS[process.platform];
  const hasScreen =
    process.platform === 'darwin' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
  if (opener === undefined || !hasScreen) return false;
  const { failed } = await execa(opener, [path], { stdio: 'ignore', reject: false });
  return !failed;
}
