/** Row 7: servers that hang, break off, close, stall or leave children. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codesOf, overhead, recordIn, SHORT } from '../cli/harness.ts';
import { ownPlace } from '../support/leftovers.ts';
import { targetsIn } from './targets.ts';
import { turning } from './turning.ts';

const place = ownPlace();
const out = join(place.folder, 'record.json');
/** On a busy machine most requests of a shorter slice may be open when it ends. */
const SECONDS = [...SHORT, '-d', '2', '--slice', '1'];
/** What came of a run of this server and one as it should be. */
async function runOf(name: string, start: string[]) {
  const targets = targetsIn(place, { [name]: { start }, fine: {} });
  const run = await overhead(place, 'frameworks', ...targets, ...SECONDS, '--out', out);
  const record = recordIn(out);
  const codes = (target: string) => codesOf(record, (cell) => cell.target === target);
  expect(record.state).toBe('complete');
  const failures = record.failures.filter(({ server }) => server.startsWith(`${name}/`));
  expect(record.failures).toEqual(failures);
  // The other one beside it is as it should be.
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
  const { failures, run } = await runOf(name, turning(place, name, way));
  expect(failures).toMatchObject([{ when: 'slice', died: false }]);
  expect(run.code).toBe(1);
});

test.each([
  ['answers 500', 'response.writeHead(500).end();', 'BAD_RESPONSE'],
  [
    'answers wrongly',
    `${'response.writeHead(200, {"content-length": 12})'}.end('Hello Wurld!');`,
    'BAD_RESPONSE',
  ],
  [
    'breaks off',
    "response.writeHead(200, { 'content-length': 12 }).write('Hello'); setImmediate(() => response.destroy());",
    'CENSORED',
  ],
])('a server that %s is flagged for it', async (name, way, code) => {
  const { failures, codes } = await runOf(name, turning(place, name, way));
  expect(codes.has(code as 'BAD_RESPONSE') || failures.length > 0).toBe(true);
});

test('one that closes each connection after its answer is measured, as it is', async () => {
  const way = "response.setHeader('connection', 'close'); fine();";
  const { codes, failures } = await runOf('closes', turning(place, 'closes', way));
  expect(failures).toEqual([]);
  expect(codes).not.toContain('BAD_RESPONSE');
});

test('children that outlive their server, and one that ignores SIGTERM, are killed', async () => {
  const before = `process.on('SIGTERM', () => {});
spawn('sleep', ['1000'], { stdio: 'ignore' }).unref();
for (let line = 0; line < 1e6; line++) process.stdout.write('x'.repeat(99) + '\\n');`;
  const { failures } = await runOf('leaves', turning(place, 'leaves', 'fine();', before));
  expect(failures).toEqual([]);
});
