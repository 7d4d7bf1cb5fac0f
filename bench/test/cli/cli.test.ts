import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { main } from '../../src/commands/main.ts';
import { recordSchema } from '../../src/record/record.ts';
import { command, simulate, wordsOf } from '../support/command.ts';
import { folderOfEach } from '../support/folder-of-each.ts';
import { screenOf } from '../support/screen.ts';
import { simulatedBackend } from '../support/simulated/backend.ts';
import { of, simulateWell, withOne } from '../support/simulated-run.ts';
import { recordIn, rowOf, TINY } from './harness.ts';

const folder = folderOfEach({ isCwd: true });
const pathOf = (name: string) => join(folder.path, name);
const textOf = (name: string) => readFileSync(pathOf(name), 'utf8');

describe('`frameworks`', () => {
  test('measures in slices, saves a record and prints it', async () => {
    const line = `frameworks ${of('ok,ok-too', 'single,2')} ${TINY} --seed 7`;
    const { stdout, stderr, record } = await simulateWell(line);
    const saved = { suite: 'frameworks', plan: { seed: 7 }, harnessPeakBytes: 100e6 };
    expect(record).toMatchObject({ ...saved, command: wordsOf(line) });
    const lasted = record.slices.reduce((ns, { measurement }) => ns + measurement.windowNs, 0);
    expect(record.wallNs).toBeGreaterThan(lasted);
    expect(record.firstTableNs).toBeGreaterThan(0);
    expect(record.firstTableNs).toBeLessThan(record.wallNs);
    for (const label of ['Fine', 'Fine too']) expect(rowOf(stdout, label)).toMatch(/\d/);
    for (const launch of [1, 2]) expect(stderr).toContain(`launch ${launch} of 2`);
    // In so short a warm-up none settles.
    const warmups = record.warmups.map(({ server, launch, outcome }) => [server, launch, outcome]);
    expect(warmups).toContainEqual(['ok/2', 1, 'capped']);
    expect(warmups.flat()).not.toContain('settled');
    // Colours and cursor movements are for terminals.
    for (const control of ['\u001b', '\r']) expect(stdout + stderr).not.toContain(control);
  });

  test('says where record and page are, and `report` and --json print the record', async () => {
    const line = `frameworks ${of('ok')} ${TINY} --out record.json`;
    const run = await simulate(line);
    expect(run.stderr.endsWith('Saved as record.json\nIts page: record.html\n')).toBe(true);
    expect(textOf('record.html')).toContain('<h1>overhead frameworks</h1>');
    const details = await command('report record.json --details');
    expect(details.stdout).toContain('Details: ');
    const json = await command('report record.json --json');
    expect(recordSchema.parse(JSON.parse(json.stdout))).toEqual(recordIn(pathOf('record.json')));
    const printed = await simulate(`${line} --json`);
    expect(printed).toMatchObject({ code: 0, stdout: textOf('record.json') });
    expect(printed.stderr).toContain('launch 1 of 2');
  });

  test('--quick asks what a request costs a single process, and says what it leaves out', async () => {
    const line = `frameworks --quick ${of('ok,ok-too', null)} -d 0.6 --launches 2 --warmup 0.1`;
    const { text, record } = await simulateWell(line);
    const cells = record.plan.cells.map(({ id }) => id);
    expect(cells.sort()).toEqual(['ok-too/single/cost', 'ok/single/cost']);
    expect(text).toMatch(/need the full run: all topologies and its own load, without --quick/);
  });

  test('on a terminal a bar shows how far it is, and leaves nothing but the report', async () => {
    const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 100, rows: 50 });
    const surroundings = { signals: new EventEmitter(), backend: simulatedBackend() };
    const io = { stdout: terminal, stderr: terminal, ...surroundings };
    const line = `frameworks ${of('ok,ok-too')} ${TINY} --out record.json`;
    expect(await main(wordsOf(line), io)).toBe(0);
    const written = String(terminal.read());
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
});

test('`verify` says of every server whether it answers as declared', async () => {
  const message = 'it answered with the body "Goodbye World!" instead of "Hello World!"';
  const world = withOne('wrong-body', { failsAt: { when: 'verify', message } });
  const run = await simulate(`verify ${of('ok,wrong-body', 'single,2')}`, world);
  expect(run).toMatchObject({ code: 1, stderr: '' });
  const text = run.stdout.replaceAll(/\s+/g, ' ');
  for (const row of ['Fine single ok 1', 'Fine 2 ok 2', 'Wrong body single failed –']) {
    expect(text).toContain(row);
  }
  expect(text).toContain('2 of 4 servers');
  expect(text.split(message)).toHaveLength(3);
});
