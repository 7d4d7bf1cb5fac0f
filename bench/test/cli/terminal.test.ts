import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterEach, expect, test, vi } from 'vitest';
import { main } from '../../src/commands/main.ts';
import { screenOf } from '../support/screen.ts';
import { simulatedBackend } from '../support/simulated/backend.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { on, rowOf, TINY } from './harness.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('on a terminal a bar shows how far it is, and leaves nothing but the report', async () => {
  using folder = temporaryFolder();
  vi.stubEnv('INIT_CWD', folder.path);
  const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 100, rows: 50 });
  const streams = { stdout: terminal, stderr: terminal };
  const args = [...on(['ok', 'ok-too'], 'single'), ...TINY, '--out', 'record.json'];
  const io = {
    ...streams,
    signals: new EventEmitter(),
    backend: simulatedBackend(),
    isRelayed: false,
    onRecord: () => {},
  };
  const code = await main(['frameworks', ...args], io);

  const written = String(terminal.read());
  expect(code).toBe(0);
  expect(written).toMatch(/█+░+ {2}\d+ % {2}\d+ s left {2}/);
  expect(written).toContain('launch 2 of 2: starting 3 servers');
  const screen = screenOf(written);
  const shown = screen.join('\n');
  expect(shown).not.toMatch(/█|░/);
  for (const line of screen) expect(line.length).toBeLessThanOrEqual(100);
  expect(screen[0]).toBe('overhead frameworks');
  for (const label of ['Fine', 'Fine too']) expect(rowOf(shown, label)).toMatch(/\d/);
  expect(screen.slice(-2)).toEqual(['Saved as record.json', 'Its page: record.html']);
});
