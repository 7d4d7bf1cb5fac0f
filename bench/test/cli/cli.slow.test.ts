import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { recordSchema } from '../../src/record/record.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { on, overhead, promisedBy, recordIn, rowOf, TINY } from './harness.ts';

const place = ownPlace();
const out = join(place.folder, 'record.json');
const COMMANDS = ['frameworks', 'cluster', 'truth', 'price', 'methods', 'verify', 'report'];

test('`frameworks` measures in slices, saves a record and prints it', async () => {
  const targets = on(['ok', 'ok-too'], 'single,2');
  const run = await overhead(place, 'frameworks', ...targets, ...TINY, '--seed', '7', '--out', out);
  const record = recordIn(out);
  expect(record).toMatchObject({ state: 'complete', failures: [] });
  expect(run.code).toBe(promisedBy(run.stdout));
  expect(record).toMatchObject({ suite: 'frameworks', plan: { seed: 7 } });
  expect(record.plan.cells.map(({ id }) => id).sort()).toEqual([
    'ok-too/2/custom',
    'ok-too/single/cost',
    'ok-too/single/custom',
    'ok/2/custom',
    'ok/single/cost',
    'ok/single/custom',
  ]);
  for (const { id } of record.plan.cells) {
    const slices = record.slices.filter(({ cell }) => cell === id);
    const moments = slices.map(({ launch, round }) => `${launch}.${round}`).sort();
    expect(moments).toEqual(['0.0', '0.1', '0.2', '1.0', '1.1', '1.2']);
    for (const { measurement } of slices) {
      expect(measurement.window.ok).toBeGreaterThan(0);
      expect(measurement).toMatchObject({ warmupCapped: false });
      expect(measurement.window).toMatchObject({ wrongStatus: 0, wrongBody: 0, disconnected: 0 });
    }
  }
  expect(record.firstTableNs).toBeGreaterThan(0);
  expect(record.wallNs).toBeGreaterThan(2e9);
  expect(record.harnessPeakBytes).toBeGreaterThan(1e7);
  for (const label of ['Fine', 'Fine too']) expect(rowOf(run.stdout, label)).toMatch(/\d/);

  expect(run.stderr).toContain('launch 1 of 2');
  expect(run.stderr).toContain('launch 2 of 2');
  expect(run.stderr).toContain('Saved as ');
  const page = out.replace('.json', '.html');
  expect(run.stderr).toContain(`Its page: ${relative(process.cwd(), page)}\n`);
  expect(readFileSync(page, 'utf8')).toContain('<h1>overhead frameworks</h1>');
  expect(record.command).toEqual(['frameworks', ...targets, ...TINY, '--seed', '7']);
  // Colours and cursor movements are for terminals.
  for (const control of ['\u001b', '\r']) {
    expect(`${run.stdout}${run.stderr}`).not.toContain(control);
  }

  const { code, stdout } = run;
  expect(await overhead(place, 'report', out)).toEqual({ code, stdout, stderr: '' });
  const details = await overhead(place, 'report', out, '--details');
  expect(details.stdout).toContain('Details: ');
  const json = await overhead(place, 'report', out, '--json');
  expect(recordSchema.parse(JSON.parse(json.stdout))).toEqual(record);
});

test('`frameworks --contiguous` measures each cell unbroken', async () => {
  const targets = on(['ok', 'ok-too'], 'single,2');
  const options = ['--contiguous', '-c', '10', '-d', '0.3', '--warmup', '0.1', '--out', out];
  const run = await overhead(place, 'frameworks', ...targets, ...options);
  const record = recordIn(out);
  expect(record).toMatchObject({ state: 'complete', failures: [] });
  expect(run.code).toBe(promisedBy(run.stdout));
  expect(record.plan.loads.map(({ method }) => method)).toEqual(['contiguous']);
  // One launch, one cell after the other.
  const inOrder = ['ok/single/custom', 'ok-too/single/custom', 'ok/2/custom', 'ok-too/2/custom'];
  expect(record.slices.map(({ cell }) => cell)).toEqual(inOrder);
  for (const { measurement } of record.slices) {
    expect(measurement.windowNs).toBeGreaterThanOrEqual(0.299e9);
    expect(measurement.ledger.ok).toBeGreaterThan(0);
  }
  expect(run.stdout).toContain('unbroken');
  expect((await overhead(place, 'report', out)).stdout).toBe(run.stdout);
});

test('`frameworks --quick` asks what a request costs a single process, and says what it leaves out', async () => {
  const targets = ['--packages', FIXTURES, '--targets', 'ok,ok-too'];
  const amounts = ['-d', '0.6', '--launches', '2', '--warmup', '0.1'];
  const run = await overhead(place, 'frameworks', '--quick', ...targets, ...amounts, '--out', out);
  const record = recordIn(out);
  expect(run.code).toBe(promisedBy(run.stdout));
  expect(record.plan.loads.map(({ id }) => id)).toEqual(['cost']);
  const cells = record.plan.cells.map(({ id }) => id);
  expect(cells.sort()).toEqual(['ok-too/single/cost', 'ok/single/cost']);
  expect(run.stdout).toContain('What it leaves out\n');
  expect(run.stdout.replaceAll('\n', ' ')).toContain('the full run: with all topologies');
  expect((await overhead(place, 'report', out)).stdout).toBe(run.stdout);
});

test('`--warmup` is the most that a server is warmed up, and 0 warms up none', async () => {
  const targets = on(['ok', 'ok-too'], 'single');
  await overhead(place, 'frameworks', ...targets, ...TINY, '--out', out);
  const { warmups, plan } = recordIn(out);
  expect(plan.warmup).toEqual({ kind: 'settled', capNs: 0.1e9 });
  const warmed = warmups.map(({ server, launch }) => `${server} ${launch}`).sort();
  expect(warmed).toEqual(['ok-too/single 0', 'ok-too/single 1', 'ok/single 0', 'ok/single 1']);
  for (const { batches, ns, outcome } of warmups) {
    expect(batches.length).toBeGreaterThan(0);
    expect(ns).toBeGreaterThan(0);
    // Too short a time for any server to be seen to have settled.
    expect(outcome).toBe('capped');
  }
  await overhead(place, 'frameworks', ...targets, ...TINY, '--warmup', '0', '--out', out);
  const cold = recordIn(out);
  expect(cold.plan.warmup).toEqual({ kind: 'none' });
  expect(cold.warmups).toEqual([]);
});

test('`verify` says of every server whether it answers as declared', async () => {
  const run = await overhead(place, 'verify', ...on(['ok', 'ok-too', 'wrong-body'], 'single,2'));
  expect(run.code).toBe(1);
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
  const message = 'it answered with the body "Goodbye World!" instead of "Hello World!"';
  expect(run.stdout.split(message)).toHaveLength(3);
  expect(run.stdout).toContain('4 of 6 servers');
});

test('`verify` ends with 0 where all is well, whatever the target is started with', async () => {
  const run = await overhead(place, 'verify', ...on(['ok', 'not-node'], 'single'));
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toContain('2 of 2 servers');
});

test('`--json` prints the record on stdout, and nothing else', async () => {
  const options = [...on(['ok'], 'single'), ...TINY, '--json', '--out', out];
  const run = await overhead(place, 'frameworks', ...options);
  const tables = await overhead(place, 'report', out);
  expect(run.code).toBe(promisedBy(tables.stdout));
  expect(recordSchema.parse(JSON.parse(run.stdout))).toEqual(recordIn(out));
  expect(run.stdout).toBe(readFileSync(out, 'utf8'));
  expect(run.stderr).toContain('launch 1 of 2');
});

test('the help of every command ends with 0', async () => {
  for (const command of [[], ...COMMANDS.map((name) => [name])]) {
    const help = await overhead(place, ...command, '--help');
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toContain(`Usage: ${['pnpm bench', ...command].join(' ')} `);
  }
});
