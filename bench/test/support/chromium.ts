import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The distribution's own. */
const PROGRAM = '/usr/bin/chromium';

export const HAS_CHROMIUM = existsSync(PROGRAM);

/** Starts a browser that makes no requests of its own. */
export async function startChromium(): Promise<Browser> {
  const args = [
    ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
    ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
  ];
  return await chromium.launch({ executablePath: PROGRAM, args });
}
