/** What is printed and made of records, with the exit code that each deserves, whoever measured it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { saveJson } from '../../src/base/files.ts';
import { RESULTS, ROOT } from '../../src/base/places.ts';
import { partsOf, recordPath } from '../../src/commands/save.ts';
import type { RunRecord } from '../../src/record/record.ts';
import { ratesOf } from '../../src/suites/rates.ts';
import * as golden from '../report/golden-records.ts';
import { command } from '../support/command.ts';
import { folderOfEach } from '../support/folder-of-each.ts';
import { type Happened, makeRecord, STACK } from '../support/make-record.ts';

const targets = STACK.slice(0, 2);
const frameworks = makeRecord({ targets }, () => ({ ok: 10_000, latenciesMs: [100] }));
const AT_500 = { rates: [{ kind: 'per second' as const, perS: 500 }] };
const rates = makeRecord({ targets, suite: ratesOf('frameworks'), options: AT_500 }, () => {
  return { ok: 500, latenciesMs: [1] };
});

const folder = folderOfEach({ isCwd: true });

describe('`report --format`', () => {
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

/** A thousand requests under way, 10,000 answered in a second: each takes 100 ms. */
const FINE: Happened = { ok: 10_000, latenciesMs: [100] };

async function reportOf(record: RunRecord) {
  const report = await command(['report', folder.write('record.json', record)]);
  expect(report.stderr).toBe('');
  return report;
}

const WHOLE = 'requests/s, latency, CPU and memory';
const COUNTS = 'requests/s, latency and CPU';

describe.each(['published', 'cost'] as const)('exit code: in a cell under the %s load', (load) => {
  /** What happened, of which figures the report says that they are wrong, and the exit code by load. */
  test.each<[string, Happened, string | null, published: number, cost: number]>([
    ['all is well', {}, null, 0, 0],
    ['requests timed out, which only makes one cautious', { timedOut: 9 }, null, 0, 0],
    ['an answer had another status', { wrongStatus: 1 }, WHOLE, 1, 1],
    ['an answer had another body', { wrongBody: 1 }, WHOLE, 1, 1],
    ['requests are unaccounted for', { unaccounted: 500 }, COUNTS, 1, 1],
    ['latency, which no load is there for, is wrong', { latenciesMs: [150] }, 'latency', 0, 0],
    ['CPU time is more than there was', { cpuUsPerResponse: 500 }, 'CPU', 0, 1],
  ])('%s, it is by what the load is there for', async (_, happened, invalid, published, cost) => {
    const record = makeRecord({}, ({ id }) => {
      return id === `middle/single/${load}` ? { ...FINE, ...happened } : FINE;
    });
    const report = await reportOf(record);
    expect(report.code).toBe({ published, cost }[load]);
    const text = report.stdout.replaceAll(/\s+/g, ' ');
    if (invalid === null) expect(text).not.toContain('(invalid');
    else expect(text).toContain(`(invalid ${invalid})`);
  });
});

describe('`site`', () => {
  /** What makes the pages of the records in `runs/`, and the names of those pages. */
  async function made(from = 'runs') {
    const run = await command(['site', 'site', '--from', from]);
    const site = join(folder.path, 'site');
    const pages = existsSync(site) ? readdirSync(site).sort() : [];
    return { ...run, pages, textOf: (name: string) => readFileSync(join(site, name), 'utf8') };
  }

  test('makes a page of the published claims that records judge, which the index leads to', async () => {
    folder.write('runs/one.json', frameworks);
    const command = ['frameworks', '--seed', '9'];
    folder.write('runs/four.json', { ...golden.frameworks(), command });
    const { code, stderr, textOf } = await made();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const link = '<a href="published-claims.html">Published claims</a>';
    expect(textOf('index.html')).toContain(link);
    const page = textOf('published-claims.html');
    expect(page).toContain('Fastify answers 5 × Express');
    expect(page).toContain('frameworks --seed 9');
    expect(page).not.toContain('>one<');
  });

  test('makes a page of each record, compressed or not, and an index that leads to all; what is no record, or would be the page of another, is left out', async () => {
    const runs = join(folder.path, 'runs');
    await saveJson(join(runs, 'one.json.gz'), frameworks);
    for (const name of ['a & b.json', 'a & b.json.gz']) await saveJson(join(runs, name), rates);
    folder.write('runs/other.json', { name: 'no record' });
    const { code, stdout, stderr, pages, textOf } = await made();
    expect(code).toBe(1);
    expect(stdout).toContain('2 pages and ');
    expect(stderr.trimEnd().split('\n')).toEqual([
      'Left out: a & b.json.gz: another record has the page a & b.html',
      expect.stringMatching(/^Left out: .*other\.json is not a record/),
    ]);
    expect(pages).toEqual(['a & b.html', 'index.html', 'one.html']);
    const links = [...textOf('index.html').matchAll(/<a href="([^"]*)"/g)];
    const names = links.map(([, href = '']) => decodeURI(href.replaceAll('&#38;', '&')));
    expect(names.sort()).toEqual(pages.filter((page) => page !== 'index.html'));
  });

  test.each(['.', 'none'])('says what to name where there is no record: %j', async (from) => {
    const { code, stdout, stderr, pages } = await made(from);
    expect({ code, stdout, pages }).toEqual({ code: 2, stdout: '', pages: [] });
    expect(stderr).toContain('Name a folder of records with --from');
  });
});

const startedAt = new Date('2026-01-02T03:04:05.678Z');

test('a record is saved in the results of the checkout, by when it began, in UTC', () => {
  const name = '2026-01-02T03-04-05-frameworks.json';
  expect(recordPath(undefined, startedAt, 'frameworks')).toBe(join(RESULTS, name));
  expect(RESULTS).toBe(join(import.meta.dirname, '../../../results'));
});

test.each([
  ['a/run.json', { folder: 'a', name: 'run', ending: '.json' }],
  ['a/run.json.gz', { folder: 'a', name: 'run', ending: '.json.gz' }],
  ['run-0.5.json.gz', { folder: '', name: 'run-0.5', ending: '.json.gz' }],
  ['run', { folder: '', name: 'run', ending: '' }],
])('the page of a record, and what is beside it, are named after it: %s', (path, parts) => {
  expect(partsOf(path)).toEqual(parts);
});
