import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FIXTURES } from '../support/fixtures.ts';
import type { OwnPlace } from '../support/leftovers.ts';

const ODD = join(FIXTURES, 'odd.mjs');

/** What of a fixture's `bench` block is another one's. */
interface Changes {
  start?: string[];
  build?: string[];
  fixedPort?: number;
  services?: Record<string, object>;
}

/**
 * Makes a folder of targets that answer as the fixture `ok` does, or are to, but for these changes; returns the
 * arguments that choose them as single processes.
 */
export function targetsIn(place: OwnPlace, targets: Record<string, Changes>): string[] {
  const packages = join(place.folder, 'targets');
  const ok = JSON.parse(readFileSync(join(FIXTURES, 'ok/package.json'), 'utf8'));
  const main = join(FIXTURES, 'ok/main.mjs');
  for (const [name, changes] of Object.entries(targets)) {
    mkdirSync(join(packages, name), { recursive: true });
    const bench = { ...ok.bench, label: name, start: ['node', main], ...changes };
    writeFileSync(join(packages, name, 'package.json'), JSON.stringify({ ...ok, name, bench }));
  }
  const names = Object.keys(targets).join(',');
  return ['--packages', packages, '--targets', names, '--topology', 'single'];
}

/** The start of a server that is odd in this way. */
export function odd(way: string, ...args: string[]): string[] {
  return ['node', ODD, way, ...args];
}
