/** Sides that are compared: what is asked for and what comes of it, on servers that are not there. */
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { FAILED, SLOWER, WRONG } from '../../src/base/exit-codes.ts';
import { simulate } from '../support/command.ts';
import { FIXTURES } from '../support/fixtures.ts';
import type { World } from '../support/simulated/backend.ts';
import { simulateRun } from '../support/simulated-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { recordIn } from './harness.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const AMOUNTS = ['-d', '1.2', '--slice', '0.3', '--warmup', '2', '--seed', '7'];
const [A, B] = ['node a.js', 'node b.js'];

/** Servers that spread as real ones, of which those of B cost so many times as much. */
function world(times: number, server: World['server'] = () => ({})): World {
  return {
    generator: { noise: 0.02 },
    server: (name, ...rest) => {
      return { cpuNs: name.startsWith('2-') ? 20_000 * times : 20_000, ...server(name, ...rest) };
    },
  };
}

const ab = (args: string[], its = world(1)) => simulateRun(['ab', ...args, ...AMOUNTS], its);

/** The words of the row that begins so. */
const rowOf = (stdout: string, begin: string) => {
  return stdout.split('\n').find((line) => line.startsWith(`${begin} `));
};

test.each([
  [1.1, 'slower'],
  [1, 'same'],
  [0.9, 'faster'],
])('a side of %d times the CPU is %s', async (times, verdict) => {
  const { code, stdout, record } = await ab([A, B], world(times));
  expect(code).toBe(0);
  expect(rowOf(stdout, 'GET /')).toContain(verdict);
  expect(record.targets.map(({ label, variantOf }) => [label, variantOf])).toEqual([
    [A, null],
    [`${A} again`, '1-node-a-js'],
    [B, '1-node-a-js'],
  ]);
});

test('each path has a row of its own, and each side beyond the second', async () => {
  const { stdout } = await ab([A, B, 'node c.js', '--path', '/x', '--path', '/y'], world(1.1));
  const rows = stdout.split('\n').filter((line) => /^GET .* (slower|same)/.test(line));
  expect(rows.map((row) => row.split('  ')[0])).toEqual([
    'GET /x, node b.js',
    'GET /y, node b.js',
    'GET /x, node c.js',
    'GET /y, node c.js',
  ]);
});

test('two versions of a dependency are sides, and so are two runtimes', async () => {
  const versions = await ab(['express-app', '--with', 'express@4', '--with', 'express@5']);
  expect(versions.stdout).toContain('A is Express (express 4), B is Express (express 5).');
  const runtimes = await ab(['fastify-app', '--runtime', 'node@22', '--runtime', 'node@24']);
  expect(runtimes.stdout).toMatch(/A is Fastify.* on Node 22, B is Fastify.* on Node 24\./);
});

test('a folder at a revision is a side beside the folder as it is', async () => {
  using folder = temporaryFolder();
  folder.write('mine/package.json', { scripts: { start: 'node main.js' } });
  vi.stubEnv('INIT_CWD', folder.path);
  const { stdout } = await ab(['./mine@v1', './mine']);
  expect(stdout).toContain('A is ./mine@v1, B is mine.');
});

test('--where tells what became dearer, in launches of its own without the copy', async () => {
  using folder = temporaryFolder();
  const out = join(folder.path, 'record.json');
  const args = ['ab', A, B, ...AMOUNTS, '--where', '--out', out];
  const { code, stdout } = await simulate(args, world(1.1));
  expect(code).toBe(0);
  expect(stdout).toMatch(/node b\.js costs .* µs more than node a\.js: \+/);
  const { targets } = recordIn(join(folder.path, 'record-where.json'));
  expect(targets.map(({ label }) => label)).not.toContain(`${A} again`);
});

describe('--fail-on', () => {
  test('ends with an exit code of its own where a side is slower', async () => {
    expect((await ab([A, B, '--fail-on', 'slower'], world(1.1))).code).toBe(SLOWER);
    expect((await ab([A, B, '--fail-on', 'slower'], world(0.9))).code).toBe(0);
    expect((await ab([A, B, '--fail-on', 'slower'], world(1))).code).toBe(0);
  });

  test('goes on until the interval is above the limit, or below it', async () => {
    expect((await ab([A, B, '--fail-on', 'slower=8%'], world(1.1))).code).toBe(SLOWER);
    expect((await ab([A, B, '--fail-on', 'slower=12%'], world(1.1))).code).toBe(0);
  });
});

test('goes on until --max-time, and says what a verdict would take', async () => {
  const { stdout, record } = await ab([A, B, '--max-time', '100'], {
    ...world(1),
    generator: { noise: 0.3 },
  });
  expect(record.plan.launches.length).toBeGreaterThan(4);
  expect(record.wallNs).toBeLessThan(100e9);
  expect(rowOf(stdout, 'GET /')).toContain("can't tell");
  expect(stdout).toMatch(
    /GET \/: It takes a run of about \d+ launches, about .* \(--max-time\), for ±\d/,
  );
  expect(stdout).toMatch(/would have seen a difference of .* %/);
});

test('no verdict stands beside a copy that differs from the first', async () => {
  const its = world(1.1, (name) => (name.endsWith('@again') ? { cpuNs: 22_000 } : {}));
  const { stdout } = await ab([A, B, '--max-time', '90'], its);
  expect(rowOf(stdout, 'GET /')).toContain("can't tell");
  expect(stdout).toMatch(/the second copy of A differs from the first by \+(9\.\d|10)/);
});

test('a side that can not be measured fails the command, and all of them make it wrong', async () => {
  const dies = (name: string) => (name.startsWith('2-') ? { diesAfterRequests: 50 } : {});
  expect((await ab([A, B], world(1, dies))).code).toBe(FAILED);
});

test.each([
  ['one server', [A], 'nothing to compare it with'],
  ['versions of several', [A, B, '--with', 'x@1'], 'Name one server alone'],
  ['sides that are asked other things', [A, join(FIXTURES, 'several-requests')], 'asked something'],
])('%s is no comparison', async (_what, args, says) => {
  const { code, stderr } = await simulate(['ab', ...args]);
  expect(code).toBe(WRONG);
  expect(stderr).toContain(says);
});
