import { chmodSync, existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { openCommand } from '../../src/commands/page.ts';
import { cluster, frameworks } from '../report/golden-records.ts';
import { ownPlace } from '../support/leftovers.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { overhead } from './harness.ts';

const place = ownPlace();
const NOWHERE = { stdout: new PassThrough() };

describe('`report --format`', () => {
  test('writes a record in each format, into the file that is named', async () => {
    using folder = temporaryFolder();
    const record = folder.write('run.json', frameworks());
    const begins = {
      terminal: 'overhead frameworks\n',
      markdown: '# overhead frameworks\n',
      html: '<!doctype html>',
      csv: 'suite,startedAt,target,',
      json: '{"schema":"overhead.run"',
    };
    const terminal = await overhead(place, 'report', record);
    for (const [format, begin] of Object.entries(begins)) {
      const out = join(folder.path, 'new', `report.${format}`);
      const run = await overhead(place, 'report', record, '--format', format, '-o', out);
      expect(run).toEqual({ code: terminal.code, stdout: '', stderr: '' });
      expect(readFileSync(out, 'utf8').startsWith(begin), format).toBe(true);
    }
    expect(terminal.stdout.startsWith(begins.terminal)).toBe(true);
  });

  test('puts several records on one page', async () => {
    using folder = temporaryFolder();
    const files = [folder.write('a.json', frameworks()), folder.write('b.json', cluster())];
    const { stdout } = await overhead(place, 'report', ...files, '--format', 'html');
    expect(stdout).toContain('<h1>overhead frameworks</h1>');
    expect(stdout).toContain('<h1>overhead cluster</h1>');
  });

  test('says that a study has no cells for CSV, and where a file can not be', async () => {
    using folder = temporaryFolder();
    const csv = await overhead(place, 'report', 'docs/runs/methods.json', '--format', 'csv');
    expect(csv).toMatchObject({ code: 2, stdout: '' });
    expect(csv.stderr).toContain('no cells for a CSV file');
    const record = folder.write('run.json', frameworks());
    const out = await overhead(place, 'report', record, '-o', join(record, 'x.html'));
    expect(out).toMatchObject({ code: 2, stdout: '' });
    expect(out.stderr).toContain("can't save the report");
  });
});

describe('`site`', () => {
  test('makes a page of each record, and an index that leads to all of them', async () => {
    using folder = temporaryFolder();
    folder.write('runs/one.json', frameworks());
    folder.write('runs/two & more.json', cluster());
    const site = join(folder.path, 'site');
    const run = await overhead(place, 'site', site, '--from', join(folder.path, 'runs'));
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('2 pages and ');
    const index = readFileSync(join(site, 'index.html'), 'utf8');
    const links = [...index.matchAll(/<a href="([^"]*)"/g)].map(([, href = '']) => href);
    expect(links).toHaveLength(2);
    for (const link of links) {
      const name = decodeURI(link.replaceAll('&amp;', '&'));
      expect(existsSync(join(site, name)), name).toBe(true);
    }
  });

  test('leaves out what is no record, and says so', async () => {
    using folder = temporaryFolder();
    folder.write('runs/one.json', frameworks());
    folder.write('runs/other.json', { name: 'no record' });
    const from = join(folder.path, 'runs');
    const run = await overhead(place, 'site', join(folder.path, 'site'), '--from', from);
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('Left out: ');
    expect(run.stderr).toContain('other.json is not a record');
    expect(run.stdout).toContain('1 page and ');
  });

  test('says what to name where there is no record', async () => {
    using folder = temporaryFolder();
    const site = join(folder.path, 'site');
    const empty = await overhead(place, 'site', site, '--from', folder.path);
    expect(empty).toMatchObject({ code: 2, stdout: '' });
    expect(empty.stderr).toContain('Name a folder of records with --from');
    const missing = await overhead(place, 'site', site, '--from', join(folder.path, 'none'));
    expect(missing.code).toBe(2);
    expect(existsSync(site)).toBe(false);
  });
});

describe('`open`', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  /** What it says of the pages in this folder. */
  async function opened(folder: string): Promise<string> {
    const stdout = new PassThrough();
    expect(await openCommand({ stdout }, folder)).toBe(0);
    return String(stdout.read());
  }

  /** Two pages, of which the first in the alphabet is the newer one. */
  function writePages(write: (name: string, content: string) => string): void {
    write('a.html', 'newer');
    utimesSync(write('b.html', 'older'), 1, 1);
  }

  test('opens the page of the latest run with what the system has', async () => {
    using folder = temporaryFolder();
    writePages(folder.write);
    const told = join(folder.path, 'told');
    const program = folder.write('bin/xdg-open', `#!/bin/sh\nprintf %s "$1" > ${told}\n`);
    chmodSync(program, 0o755);
    vi.stubEnv('PATH', `${join(folder.path, 'bin')}:${process.env.PATH}`);
    vi.stubEnv('DISPLAY', ':0');
    expect(await opened(folder.path)).toMatch(/^Opened .*a\.html\n$/);
    expect(readFileSync(told, 'utf8')).toBe(join(folder.path, 'a.html'));
  });

  test('says where the page is where there is no screen, or nothing to open it with', async () => {
    using folder = temporaryFolder();
    writePages(folder.write);
    vi.stubEnv('DISPLAY', undefined);
    vi.stubEnv('WAYLAND_DISPLAY', undefined);
    expect(await opened(folder.path)).toMatch(/no browser here to open .*a\.html/);
    vi.stubEnv('DISPLAY', ':0');
    vi.stubEnv('PATH', folder.path);
    expect(await opened(folder.path)).toMatch(/no browser here to open .*a\.html/);
  });

  test('says what to do where there is no page yet', async () => {
    using folder = temporaryFolder();
    await expect(openCommand(NOWHERE, folder.path)).rejects.toThrow(UserError);
    await expect(openCommand(NOWHERE, join(folder.path, 'none'))).rejects.toThrow(UserError);
    writeFileSync(join(folder.path, 'run.json'), '{}');
    await expect(openCommand(NOWHERE, folder.path)).rejects.toThrow('there is no page');
  });
});
