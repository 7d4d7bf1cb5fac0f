/** Rows 7 and 8: servers that hang, break off, close, stall or leave children, and ports that others have. */
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../src/system/free-port.ts';
import type { Code } from '../../src/validity/flags.ts';
import { codesOf, harnessPlace, rowOf, SHORT } from '../cli/harness.ts';
import { odd } from '../support/fixtures.ts';

const place = harnessPlace();
/** On a busy machine most requests of a shorter slice may be open when it ends. */
const SECONDS = [...SHORT, '-d', '2', '--slice', '1'];

/** What is to be told of each, by how it turns out after its first answers. */
type Told = Record<string, Code | null>;
const SILENT: Told = { hangs: 'FAILED', stalls: 'FAILED' };
const LOUD: Told = {
  ...{ 'says-500': 'BAD_RESPONSE', 'says-wrong': 'BAD_RESPONSE', 'breaks-off': 'CENSORED' },
  ...{ 'closes-each': null, 'ignores-sigterm': null },
};

test.each([
  ['hang or stall', SILENT],
  ['answer wrongly, break off, close connections or leave children', LOUD],
])('servers that %s are flagged as what they are, and others are measured', async (_, wrong) => {
  const servers = Object.keys(wrong).map((way) => [way, { start: odd(way) }] as const);
  const targets = place.targets({ ...Object.fromEntries(servers), fine: {} });
  const { code: ending, record } = await place.run(...targets, ...SECONDS);
  expect(ending).toBe(1);
  expect(record.state).toBe('complete');
  for (const [name, told] of Object.entries({ ...wrong, fine: null })) {
    const failures = record.failures.filter(({ server }) => server.startsWith(`${name}/`));
    const codes = codesOf(record, ({ target }) => target === name);
    if (told === 'FAILED') expect(failures, name).toMatchObject([{ when: 'slice', died: false }]);
    else if (told !== null) expect(codes.has(told) || failures.length > 0, name).toBe(true);
    else {
      expect(failures, name).toEqual([]);
      expect(codes, name).not.toContain('BAD_RESPONSE');
    }
  }
  const fine = codesOf(record, ({ target }) => target === 'fine');
  for (const code of ['LEDGER', 'FAILED', 'CENSORED'] as const) expect(fine).not.toContain(code);
  for (const { cell, measurement } of record.slices) {
    if (!cell.startsWith('fine/')) continue;
    expect(measurement.window).toMatchObject({ timedOut: 0, disconnected: 0 });
  }
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

const FIXED = [3000, 3001, 3002, 3003, 3004, 3005];

test('row 8: servers on whose ports another one answers right fail, and ports from 3000 on do not matter', async () => {
  const [own, others] = [await freePort('127.0.0.1'), await freePort('127.0.0.1')];
  for (const port of [own, others, ...FIXED]) await serveOn(port);
  const targets = place.targets({
    ends: { fixedPort: own },
    silent: { fixedPort: others, start: odd('never-listens') },
    fine: {},
  });
  const { record, ...run } = await place.run(...targets, ...SHORT);
  const { failures, slices } = record;
  expect(run.code).toBe(1);
  expect(failures.toSorted((a, b) => a.server.localeCompare(b.server))).toMatchObject([
    { server: 'ends/single', when: expect.stringMatching(/start|verify/) },
    { server: 'silent/single', when: 'verify' },
  ]);
  expect(run.stdout).toContain('EADDRINUSE');
  expect(run.stdout).toContain('another process listens on its port');
  expect(slices.some(({ cell }) => /^(ends|silent)\//.test(cell))).toBe(false);
  expect(rowOf(run.stdout, 'fine')).toMatch(/\d/);
});
