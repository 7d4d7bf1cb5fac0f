import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onPath } from '../../src/system/on-path.ts';
import { ownPlace } from '../support/leftovers.ts';
import { screenOf } from '../support/screen.ts';
import { CLI, codeFor, on, recordIn, rowOf, SHORT, startCommand } from './harness.ts';

const place = ownPlace();
const out = join(place.folder, 'record.json');

/** Runs the command line on a terminal of its own, of util-linux's `script`. */
function onTerminal(columns: number, args: string[]) {
  const words = [process.execPath, CLI, ...args].map((word) => `'${word}'`).join(' ');
  const command = `stty cols ${columns} rows 50 && exec ${words}`;
  const script = ['script', '--quiet', '--return', '--command', command, '/dev/null'] as const;
  return startCommand(place, [...script], { TERM: 'xterm' }).finished;
}

test.runIf(onPath('script'))(
  'on a terminal a bar shows how far it is, and leaves nothing but the report',
  async () => {
    const options = [...on(['ok', 'ok-too'], 'single'), ...SHORT, '--out', out];
    const run = await onTerminal(100, ['frameworks', ...options]);
    expect(run.stdout).toMatch(/█+░+ {2}\d+ % {2}\d+ s left {2}/);
    expect(run.stdout).toContain('launch 1 of 1: starting 3 servers');
    const screen = screenOf(run.stdout);
    // A table may draw bars too, but none followed by a share.
    expect(screen.join('\n')).not.toMatch(/░|█ {2}\d+ %/);
    for (const line of screen) expect(line.length).toBeLessThanOrEqual(100);

    const shown = screen.join('\n');
    expect(screen).toContain('overhead frameworks');
    for (const label of ['Fine', 'Fine too']) expect(rowOf(shown, label)).toMatch(/\d/);
    expect(screen.at(-2)).toMatch(/^Saved as .*record\.json$/);
    expect(screen.at(-1)).toMatch(/^Its page: .*record\.html$/);
    expect(run.code).toBe(codeFor(recordIn(out)));
  },
);
