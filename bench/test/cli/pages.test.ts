import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { saveJson } from '../../src/base/json-file.ts';
import { RESULTS, ROOT } from '../../src/base/places.ts';
import { openLatest } from '../../src/commands/open.ts';
import { partsOf, recordPath } from '../../src/commands/record-path.ts';
import { ratesOf } from '../../src/suites/rates.ts';
import * as golden from '../report/golden-records.ts';
import { command } from '../support/command.ts';
import { makeRecord, STACK } from '../support/make-record.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';

const targets = STACK.slice(0, 2);
const frameworks = makeRecord({ targets }, () => ({ ok: 10_000, latenciesMs: [100] }));
const rates = makeRecord(
  {
    targets,
    suite: ratesOf('frameworks'),
    options: { rates: [{ kind: 'per second', perS: 500 }] },
  },
  () => ({ ok: 500, latenciesMs: [1] }),
);

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  vi.unstubAllEnvs();
  folder[Symbol.dispose]();
});

describe('`report --format`', () => {
  test('writes a record in each format, into the file that is named', async () => {
    const record = folder.write('run.json', frameworks);
    const begins = {
      terminal: 'overhead frameworks\n',
      markdown: '# overhead frameworks\n',
      html: '<!doctype html>',
      csv: 'suite,startedAt,target,',
      json: '{"schema":"overhead.run"',
    };
    const terminal = await command(['report', record]);
    expect(terminal).toMatchObject({ code: 0, stderr: '' });
    expect(terminal.stdout.startsWith(begins.terminal)).toBe(true);
    for (const [format, begin] of Object.entries(begins)) {
      const out = join(folder.path, 'new', `report.${format}`);
      const run = await command(['report', record, '--format', format, '-o', out]);
      expect(run).toEqual({ code: 0, stdout: '', stderr: '' });
      expect(readFileSync(out, 'utf8').startsWith(begin), format).toBe(true);
    }
  });

  test('puts several records on one page', async () => {
    const files = [folder.write('a.json', frameworks), folder.write('b.json', rates)];
    const { stdout } = await command(['report', ...files, '--format', 'html']);
    expect(stdout).toContain('<h1>overhead frameworks</h1>');
    expect(stdout).toContain('<h1>overhead rates</h1>');
  });

  test('says that a study has no cells for CSV, and where a file can not be', async () => {
    const methods = join(ROOT, 'docs/runs/methods.json.gz');
    const csv = await command(['report', methods, '--format', 'csv']);
    expect(csv).toMatchObject({ code: 2, stdout: '' });
    expect(csv.stderr).toContain('no cells for a CSV file');
    const record = folder.write('run.json', frameworks);
    const out = await command(['report', record, '-o', join(record, 'x.html')]);
    expect(out).toMatchObject({ code: 2, stdout: '' });
    expect(out.stderr).toContain("can't save the report");
  });
});

describe('`site`', () => {
  test('makes a page of each record, and an index that leads to all of them', async () => {
    folder.write('runs/one.json', frameworks);
    folder.write('runs/two & more.json', rates);
    const site = join(folder.path, 'site');
    const run = await command(['site', site, '--from', join(folder.path, 'runs')]);
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

  test('makes a page of the published claims that records judge, which the index leads to', async () => {
    folder.write('runs/one.json', frameworks);
    folder.write('runs/four.json', {
      ...golden.frameworks(),
      command: ['frameworks', '--seed', '9'],
    });
    const site = join(folder.path, 'site');
    const run = await command(['site', site, '--from', join(folder.path, 'runs')]);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    const index = readFileSync(join(site, 'index.html'), 'utf8');
    expect(index).toContain('<a href="published-claims.html">Published claims</a>');
    const page = readFileSync(join(site, 'published-claims.html'), 'utf8');
    expect(page).toContain('Fastify answers 5 × Express');
    expect(page).toContain('frameworks --seed 9');
    expect(page).not.toContain('>one<');
  });

  test('makes pages of compressed records too, and of one of two that would have the same page', async () => {
    const runs = join(folder.path, 'runs');
    await saveJson(join(runs, 'one.json.gz'), frameworks);
    await saveJson(join(runs, 'two.json'), rates);
    await saveJson(join(runs, 'two.json.gz'), rates);
    const site = join(folder.path, 'site');
    const run = await command(['site', site, '--from', runs]);
    expect(run).toMatchObject({ code: 1 });
    expect(run.stderr).toBe('Left out: two.json.gz: another record has the page two.html\n');
    expect(readdirSync(site).sort()).toEqual(['index.html', 'one.html', 'two.html']);
  });

  test('leaves out what is no record, and says so', async () => {
    folder.write('runs/one.json', frameworks);
    folder.write('runs/other.json', { name: 'no record' });
    const from = join(folder.path, 'runs');
    const run = await command(['site', join(folder.path, 'site'), '--from', from]);
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('Left out: ');
    expect(run.stderr).toContain('other.json is not a record');
    expect(run.stdout).toContain('1 page and ');
  });

  test('says what to name where there is no record', async () => {
    const site = join(folder.path, 'site');
    const empty = await command(['site', site, '--from', folder.path]);
    expect(empty).toMatchObject({ code: 2, stdout: '' });
    expect(empty.stderr).toContain('Name a folder of records with --from');
    const missing = await command(['site', site, '--from', join(folder.path, 'none')]);
    expect(missing.code).toBe(2);
    expect(existsSync(site)).toBe(false);
  });
});

describe('`open`', () => {
  test('says what to do where there is no page yet', async () => {
    const nowhere = { stdout: new PassThrough() };
    await expect(openLatest(nowhere, folder.path)).rejects.toThrow(UserError);
    await expect(openLatest(nowhere, join(folder.path, 'none'))).rejects.toThrow(UserError);
    writeFileSync(join(folder.path, 'run.json'), '{}');
    await expect(openLatest(nowhere, folder.path)).rejects.toThrow('there is no page');
  });
});

describe('a record is saved', () => {
  const startedAt = new Date('2026-01-02T03:04:05.678Z');

  test('in the results of the checkout, by when it began, in UTC', () => {
    const name = '2026-01-02T03-04-05-frameworks.json';
    expect(recordPath(null, startedAt, 'frameworks')).toBe(join(RESULTS, name));
    expect(RESULTS).toBe(join(import.meta.dirname, '../../../results'));
  });

  test('where --out says, from where the user stands', () => {
    vi.stubEnv('INIT_CWD', folder.path);
    expect(recordPath('a/b.json', startedAt, 'frameworks')).toBe(join(folder.path, 'a/b.json'));
  });

  test.each([
    ['a/run.json', { folder: 'a', name: 'run', ending: '.json' }],
    ['a/run.json.gz', { folder: 'a', name: 'run', ending: '.json.gz' }],
    ['run-0.5.json.gz', { folder: '', name: 'run-0.5', ending: '.json.gz' }],
    ['run', { folder: '', name: 'run', ending: '' }],
  ])('and its page and what is measured beside it are named after it: %s', (path, parts) => {
    expect(partsOf(path)).toEqual(parts);
  });
});
