/** Sides that are compared: what is asked for and what comes of it, on servers that are not there. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FAILED, SLOWER } from '../../src/base/errors.ts';
import { simulate } from '../support/command.ts';
import { folderOfEach } from '../support/folder-of-each.ts';
import type { World } from '../support/simulated/backend.ts';
import { simulateRun } from '../support/simulated-run.ts';
import { recordIn } from './harness.ts';

const folder = folderOfEach({ isCwd: true });

const AMOUNTS = '-d 1.2 --slice 0.3 --warmup 2 --seed 7';
const BOTH = "'node a.js' 'node b.js'";

/** Servers that spread as real ones, of which those of B cost so many times as much. */
function world(times: number, server: World['server'] = () => ({})): World {
  return {
    generator: { noise: 0.02 },
    server: (name, ...rest) => {
      return { cpuNs: name.startsWith('2-') ? 20_000 * times : 20_000, ...server(name, ...rest) };
    },
  };
}

const ab = (line: string, its = world(1)) => simulateRun(`ab ${line} ${AMOUNTS}`, its);

/** The row of the request that all are sent. */
const rowOf = (stdout: string) => stdout.split('\n').find((line) => line.startsWith('GET / '));

test.each([
  ['slower', 1.1, 'slower', SLOWER],
  ['slower', 1, 'same', 0],
  ['slower', 0.9, 'faster', 0],
  // Until the interval is above the limit, or below it.
  ['slower=8%', 1.1, 'slower', SLOWER],
  ['slower=12%', 1.1, 'slower', 0],
])('with --fail-on %s a side of %d times the CPU is %s, and ends with %d', async (...given) => {
  const [limit, times, verdict, ending] = given;
  const { code, stdout, record } = await ab(`${BOTH} --fail-on ${limit}`, world(times));
  expect(rowOf(stdout)).toContain(verdict);
  expect(code).toBe(ending);
  expect(record.targets.map(({ label, variantOf }) => [label, variantOf])).toEqual([
    ['node a.js', null],
    ['node a.js again', '1-node-a-js'],
    ['node b.js', '1-node-a-js'],
  ]);
});

test('each path has a row of its own, and each side beyond the second', async () => {
  const { stdout } = await ab(`${BOTH} 'node c.js' --path /x --path /y`, world(1.1));
  const rows = stdout.split('\n').filter((line) => /^GET .* (slower|same)/.test(line));
  expect(rows.map((row) => row.split('  ')[0])).toEqual([
    ...['GET /x, node b.js', 'GET /y, node b.js', 'GET /x, node c.js', 'GET /y, node c.js'],
  ]);
});

test.each([
  [
    'express-app --with express@4 --with express@5',
    /A is Express \(express 4\), B is Express \(express 5\)\./,
  ],
  [
    'fastify-app --runtime node@22 --runtime node@24',
    /A is Fastify.* on Node 22, B is Fastify.* on Node 24\./,
  ],
  ['./mine@v1 ./mine', /A is \.\/mine@v1, B is mine\./],
])('sides are versions, runtimes, or revisions: %s', async (sides, named) => {
  folder.write('mine/package.json', { scripts: { start: 'node main.js' } });
  expect((await ab(sides)).stdout).toMatch(named);
});

test('--where tells what became dearer, in launches of its own without the copy', async () => {
  const line = `ab ${BOTH} ${AMOUNTS} --where --out '${folder.path}/record.json'`;
  const { code, stdout } = await simulate(line, world(1.1));
  expect(code).toBe(0);
  expect(stdout).toMatch(/node b\.js costs .* µs more than node a\.js: \+/);
  const { targets } = recordIn(join(folder.path, 'record-where.json'));
  expect(targets.map(({ label }) => label)).not.toContain('node a.js again');
});

test('goes on until --max-time, and says what a verdict would take', async () => {
  const noisy = { ...world(1), generator: { noise: 0.3 } };
  const { stdout, record } = await ab(`${BOTH} --max-time 100`, noisy);
  expect(record.plan.launches.length).toBeGreaterThan(4);
  expect(record.wallNs).toBeLessThan(100e9);
  expect(rowOf(stdout)).toContain("can't tell");
  expect(stdout).toMatch(/GET \/: a run of about \d+ launches \(.*: --max-time\) would bring ±\d/);
  expect(stdout).toMatch(/would detect a difference of .* %/);
});

test('no verdict stands beside a copy that differs from the first', async () => {
  const its = world(1.1, (name) => (name.endsWith('@again') ? { cpuNs: 22_000 } : {}));
  const { stdout } = await ab(`${BOTH} --max-time 90`, its);
  expect(rowOf(stdout)).toContain("can't tell");
  expect(stdout).toMatch(/the second copy of A differs from the first by \+(9\.\d|10)/);
});

test('a side that can not be measured fails the command', async () => {
  const dies = (name: string) => (name.startsWith('2-') ? { diesAfterRequests: 50 } : {});
  expect((await ab(BOTH, world(1, dies))).code).toBe(FAILED);
});
