/** Rows 7 and 8: servers that hang, break off, close, stall or leave children, and ports that others have. */
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../src/system/free-port.ts';
import { codesOf, measured, on, overhead, recordIn, rowOf, SHORT } from '../cli/harness.ts';
import { ownPlace } from '../support/leftovers.ts';
import { odd, targetsIn, turning } from './runs.ts';

const place = ownPlace();
const out = join(place.folder, 'record.json');
/** On a busy machine most requests of a shorter slice may be open when it ends. */
const SECONDS = [...SHORT, '-d', '2', '--slice', '1'];

/** A run of a server that goes wrong in this way, and of one that does not. */
async function runOf(name: string, way: string, before?: string) {
  const start = turning(place, name, way, before);
  const targets = targetsIn(place, { [name]: { start }, fine: {} });
  const run = await overhead(place, 'frameworks', ...targets, ...SECONDS, '--out', out);
  const record = recordIn(out);
  const codes = (target: string) => codesOf(record, (cell) => cell.target === target);
  expect(record.state).toBe('complete');
  const failures = record.failures.filter(({ server }) => server.startsWith(`${name}/`));
  // The other one is as it should be.
  expect(record.failures).toEqual(failures);
  for (const code of ['BAD_RESPONSE', 'LEDGER', 'FAILED', 'CENSORED'] as const) {
    expect(codes('fine')).not.toContain(code);
  }
  for (const { cell, measurement } of record.slices) {
    if (!cell.startsWith('fine/')) continue;
    expect(measurement.window).toMatchObject({ timedOut: 0, disconnected: 0 });
  }
  return { run, failures, codes: codes(name) };
}

test.each([
  ['hangs', ''],
  ['stalls', 'setTimeout(fine, 15_000);'],
])('a server that %s fails with that', async (name, way) => {
  const { failures, run } = await runOf(name, way);
  expect(failures).toMatchObject([{ when: 'slice', died: false }]);
  expect(run.code).toBe(1);
});

const BREAK_OFF = "write('Hello'); setImmediate(() => response.destroy());";
test.each([
  ['answers 500', 'response.writeHead(500).end();', 'BAD_RESPONSE'],
  [
    'answers wrongly',
    `${'response.writeHead(200, {"content-length": 12})'}.end('Hello Wurld!');`,
    'BAD_RESPONSE',
  ],
  ['breaks off', `response.writeHead(200, { 'content-length': 12 }).${BREAK_OFF}`, 'CENSORED'],
] as const)('a server that %s is flagged for it', async (name, way, code) => {
  const { failures, codes } = await runOf(name, way);
  expect(codes.has(code) || failures.length > 0).toBe(true);
});

test('one that closes each connection after its answer is measured, as it is', async () => {
  const way = "response.setHeader('connection', 'close'); fine();";
  const { codes, failures } = await runOf('closes', way);
  expect(failures).toEqual([]);
  expect(codes).not.toContain('BAD_RESPONSE');
});

test('children that outlive their server, and one that ignores SIGTERM, are killed', async () => {
  const before = `process.on('SIGTERM', () => {});
spawn('sleep', ['1000'], { stdio: 'ignore' }).unref();
for (let line = 0; line < 1e6; line++) process.stdout.write('x'.repeat(99) + '\\n');`;
  const { failures } = await runOf('leaves', 'fine();', before);
  expect(failures).toEqual([]);
});

/** Serves on this port until the test is over, unless somebody does so already. */
async function serveOn(port: number): Promise<void> {
  const headers = { 'content-type': 'text/plain', 'content-length': 12 };
  const server = createServer((_, response) => {
    response.writeHead(200, headers).end('Hello World!');
  });
  await new Promise<void>((resolve) => {
    server.once('error', () => resolve()).listen(port, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
}

const ENDS = 'EADDRINUSE';
const SILENT = 'another process listens on its port';
test.each([
  ['it ends since the port is taken', {}, /start|verify/, ENDS],
  ['it never listens', { start: odd('never-listens') }, /verify/, SILENT],
] as const)(
  'row 8: another server answers right on the port of one, and %s',
  async (_, changes, when, says) => {
    const port = await freePort('127.0.0.1');
    await serveOn(port);
    const targets = targetsIn(place, { taken: { ...changes, fixedPort: port }, fine: {} });
    const run = await overhead(place, 'frameworks', ...targets, ...SHORT, '--out', out);
    const { failures, slices } = recordIn(out);
    expect(run.code).toBe(1);
    expect(failures).toMatchObject([{ server: 'taken/single', when: expect.stringMatching(when) }]);
    expect(run.stdout).toContain(says);
    expect(slices.some(({ cell }) => cell.startsWith('taken/'))).toBe(false);
    expect(rowOf(run.stdout, 'fine')).toMatch(/\d/);
  },
);

test('row 8: ports 3000 to 3005 in use do not matter', async () => {
  for (let port = 3000; port <= 3005; port++) await serveOn(port);
  await measured(place, 'frameworks', ...on(['ok'], 'single'), ...SHORT);
});
