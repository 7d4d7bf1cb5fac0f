import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { recordSchema } from '../../src/record/record.ts';
import { command, simulate } from '../support/command.ts';
import { simulateRun } from '../support/simulated-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { expectAnswers, on, recordIn, rowOf, TINY } from './harness.ts';

const OF_TWO = ['ok', 'ok-too'];

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('`frameworks`', () => {
  test('measures in slices, saves a record and prints it', async () => {
    const args = ['frameworks', ...on(OF_TWO, 'single,2'), ...TINY, '--seed', '7'];
    using folder = temporaryFolder();
    vi.stubEnv('INIT_CWD', folder.path);
    const run = await simulate([...args, '--out', 'record.json']);
    expect(run.code).toBe(0);
    const record = recordIn(join(folder.path, 'record.json'));
    expect(record).toMatchObject({ suite: 'frameworks', state: 'complete', failures: [] });
    expect(record).toMatchObject({ plan: { seed: 7 }, harnessPeakBytes: 100e6, command: args });
    expect(record.plan.cells.map(({ id }) => id).sort()).toEqual([
      ...['ok-too/2/custom', 'ok-too/single/cost', 'ok-too/single/custom', 'ok-too/single/low'],
      ...['ok/2/custom', 'ok/single/cost', 'ok/single/custom', 'ok/single/low'],
    ]);
    expectAnswers(record);
    for (const { id } of record.plan.cells) {
      const slices = record.slices.filter(({ cell }) => cell === id);
      const moments = slices.map(({ launch, round }) => `${launch}.${round}`).sort();
      const isWhole = !id.endsWith('custom');
      // Under the cost load and at a low rate all of a launch is one slice.
      const rounds = ['0.0', '0.1', '0.2', '1.0', '1.1', '1.2'];
      expect(moments).toEqual(isWhole ? ['0.0', '1.0'] : rounds);
      const windowNs = id.endsWith('cost') ? 0.6e9 : id.endsWith('low') ? 0.18e9 : 0.2e9;
      for (const { measurement } of slices) {
        expect(measurement.windowNs).toBeCloseTo(windowNs, 0);
        expect(measurement).toMatchObject({ warmupCapped: false });
        expect(measurement.window).toMatchObject({ wrongStatus: 0, wrongBody: 0, disconnected: 0 });
      }
    }
    const lasted = record.slices.reduce((ns, { measurement }) => ns + measurement.windowNs, 0);
    expect(record.wallNs).toBeGreaterThan(lasted);
    expect(record.firstTableNs).toBeGreaterThan(0);
    expect(record.firstTableNs).toBeLessThan(record.wallNs);
    for (const label of ['Fine', 'Fine too']) expect(rowOf(run.stdout, label)).toMatch(/\d/);

    expect(run.stderr).toContain('launch 1 of 2');
    expect(run.stderr).toContain('launch 2 of 2');
    expect(run.stderr.endsWith('Saved as record.json\nIts page: record.html\n')).toBe(true);
    const page = readFileSync(join(folder.path, 'record.html'), 'utf8');
    expect(page).toContain('<h1>overhead frameworks</h1>');
    // Colours and cursor movements are for terminals.
    for (const control of ['\u001b', '\r']) {
      expect(`${run.stdout}${run.stderr}`).not.toContain(control);
    }
    const { code, stdout } = run;
    expect(await command(['report', 'record.json'])).toEqual({ code, stdout, stderr: '' });
    const details = await command(['report', 'record.json', '--details']);
    expect(details.stdout).toContain('Details: ');
    const json = await command(['report', 'record.json', '--json']);
    expect(recordSchema.parse(JSON.parse(json.stdout))).toEqual(record);
  });

  test('--contiguous measures each cell unbroken, one after the other', async () => {
    const options = ['--contiguous', '-c', '10', '-d', '0.3', '--warmup', '0.1'];
    const args = ['frameworks', ...on(OF_TWO, 'single,2'), ...options];
    const { code, stdout, record } = await simulateRun(args);
    expect(code).toBe(0);
    expect(record).toMatchObject({ state: 'complete', failures: [] });
    expect(record.plan.loads.map(({ method }) => method)).toEqual(['contiguous']);
    // One launch, in which nothing is drawn.
    expect(record.slices.map(({ cell }) => cell)).toEqual([
      'ok/single/custom',
      'ok-too/single/custom',
      'ok/2/custom',
      'ok-too/2/custom',
    ]);
    for (const { measurement } of record.slices) {
      expect(measurement.windowNs).toBeCloseTo(0.3e9, 0);
      expect(measurement.ledger.ok).toBeGreaterThan(0);
    }
    expect(stdout).toContain('unbroken');
  });

  test('--quick asks what a request costs a single process, and says what it leaves out', async () => {
    const targets = on(OF_TWO, 'single').slice(0, -2);
    const amounts = ['-d', '0.6', '--launches', '2', '--warmup', '0.1'];
    const args = ['frameworks', '--quick', ...targets, ...amounts];
    const { code, stdout, record } = await simulateRun(args);
    expect(code).toBe(0);
    expectAnswers(record);
    expect(record.plan.loads.map(({ id }) => id)).toEqual(['cost']);
    const cells = record.plan.cells.map(({ id }) => id);
    expect(cells.sort()).toEqual(['ok-too/single/cost', 'ok/single/cost']);
    expect(stdout).toContain('What it leaves out\n');
    expect(stdout.replaceAll('\n', ' ')).toContain('the full run: with all topologies');
  });

  test.each([
    { warmup: '0.1', outcome: 'capped' },
    { warmup: '10', outcome: 'settled' },
  ])('--warmup $warmup is the most that a server is warmed up', async ({ warmup, outcome }) => {
    const args = ['frameworks', ...on(OF_TWO, '2'), ...TINY, '--warmup', warmup];
    const { warmups } = (await simulateRun(args)).record;
    const warmed = warmups.map((each) => `${each.server} ${each.launch} ${each.outcome}`);
    expect(warmed.sort()).toEqual(
      ['ok-too/2 0', 'ok-too/2 1', 'ok/2 0', 'ok/2 1'].map((each) => `${each} ${outcome}`),
    );
  });

  test('what is interleaved warms up among the others, in blocks that are not counted', async () => {
    const args = ['frameworks', ...on(OF_TWO, 'single'), ...TINY, '--warmup', '2'];
    const { warmups, slices } = (await simulateRun(args)).record;
    expect(warmups).toEqual([]);
    const interleaved = slices.filter(({ cell }) => cell.endsWith('/cost'));
    // Of two servers and the canned one, in two launches.
    expect(interleaved).toHaveLength(6);
    for (const { measurement } of interleaved) {
      const { answers, hasSettled } = measurement.leadIn;
      expect(hasSettled).toBe(true);
      expect(answers).toBeGreaterThanOrEqual(30_000);
    }
  });

  test('--json prints the record on stdout, and nothing else', async () => {
    using folder = temporaryFolder();
    const out = join(folder.path, 'record.json');
    const args = [...on(['ok'], 'single'), ...TINY, '--json', '--out', out];
    const run = await simulate(['frameworks', ...args]);
    expect(run).toMatchObject({ code: 0, stdout: readFileSync(out, 'utf8') });
    expect(run.stderr).toContain('launch 1 of 2');
  });

  test('a record whose name ends in .json.gz is saved compressed, and reported as it was', async () => {
    using folder = temporaryFolder();
    const out = join(folder.path, 'record.json.gz');
    const args = [...on(['ok'], 'single'), ...TINY, '--out', out];
    const { code, stdout } = await simulate(['frameworks', ...args]);
    expect(readdirSync(folder.path).sort()).toEqual(['record.html', 'record.json.gz']);
    expect(gunzipSync(readFileSync(out)).toString()).toMatch(/^\{.*\}\n$/);
    expect(await command(['report', out])).toEqual({ code, stdout, stderr: '' });
  });
});

describe('`verify`', () => {
  test('says of every server whether it answers as declared', async () => {
    const message = 'it answered with the body "Goodbye World!" instead of "Hello World!"';
    const run = await simulate(['verify', ...on([...OF_TWO, 'wrong-body'], 'single,2')], {
      server: (name) => (name === 'wrong-body' ? { failsAt: { when: 'verify', message } } : {}),
    });
    expect(run).toMatchObject({ code: 1, stderr: '' });
    const rows = run.stdout.split('\n').map((line) => line.trim().split(/\s{2,}/));
    expect(rows).toEqual(
      expect.arrayContaining([
        ['Fine', 'single', 'ok', '1'],
        ['Fine too', 'single', 'ok', '1'],
        ['Fine', '2', 'ok', '2'],
        ['Fine too', '2', 'ok', '2'],
        ['Wrong body', 'single', 'failed', '–'],
        ['Wrong body', '2', 'failed', '–'],
      ]),
    );
    expect(run.stdout.replaceAll(/\s+/g, ' ').split(message)).toHaveLength(3);
    expect(run.stdout).toContain('4 of 6 servers');
  });

  test('ends with 0 where all is well, whatever the target is started with', async () => {
    const run = await simulate(['verify', ...on(['ok', 'not-node'], 'single')]);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('2 of 2 servers');
  });
});
