import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { latest } from '../../../workloads/board/data/latest.ts';
import { ROOT } from '../../src/base/places.ts';
import { buildTargets } from '../../src/launch/build.ts';
import { equipped } from '../../src/targets/needs.ts';
import { readTargets } from '../../src/targets/targets.ts';
import { rowOf, start } from '../cli/harness.ts';
import { ownPlace } from '../support/leftovers.ts';
import { startObserved, type Told } from '../support/observed.ts';
import { isRegistryWithinReach, registryEnvironment } from '../support/registry.ts';
import { missingHere } from '../support/services.ts';

const BOARD = join(ROOT, 'workloads/board');
const { targets, leftOut } = equipped(readTargets(BOARD));
const isInGo = ({ needs }: { needs: string[] }) => needs.includes('go');
/** What fetches and builds finds what the caller's own has fetched and built. */
const CALLERS = {
  ...registryEnvironment(),
  GOCACHE: process.env.GOCACHE ?? join(homedir(), '.cache/go-build'),
  GOPATH: process.env.GOPATH ?? join(homedir(), 'go'),
};
const isInstalled = existsSync(join(BOARD, 'node_modules/.overhead-installed'));
const lacking =
  missingHere('mariadb') ??
  (isInstalled || isRegistryWithinReach() ? null : "npm's registry is not within reach");

const place = ownPlace();
/** Filling the database and building takes a while, the first time. */
const PATIENT_MS = 300_000;
const POOL = 50;
const POSTS = 100;

test('the answer that is expected is what the rows of the seed say', () => {
  const committed = JSON.parse(readFileSync(join(BOARD, 'answers/latest.json'), 'utf8'));
  expect(committed).toEqual(JSON.parse(JSON.stringify(latest())));
  const bytes = Buffer.byteLength(JSON.stringify(committed));
  expect(bytes).toBeGreaterThan(450_000);
  expect(bytes).toBeLessThan(550_000);
});

describe('the servers', () => {
  beforeAll(async () => {
    for (const [name, value] of Object.entries(CALLERS)) vi.stubEnv(name, value);
    if (lacking === null) await buildTargets(targets, new AbortController().signal, () => {});
  }, PATIENT_MS);
  afterAll(() => {
    vi.unstubAllEnvs();
  });
  beforeEach(({ skip }) => {
    skip(lacking !== null, lacking ?? '');
  });

  test('answer as declared, in every variant, on one core and on two', {
    timeout: PATIENT_MS,
  }, async ({ annotate }) => {
    for (const sentence of leftOut) await annotate(`left out: ${sentence}`);
    const args = ['verify', '--packages', BOARD, '--targets', 'all', '--topology', 'single,2'];
    const { code, stdout, stderr } = await start(place, args, CALLERS).finished;
    expect(code, stdout + stderr).toBe(0);
    for (const { label } of targets) {
      expect(rowOf(stdout, label), label).toMatch(/ ok +1$/);
      expect(stdout.split('\n').filter((line) => line.startsWith(`${label}  `))).toHaveLength(2);
    }
    expect(stdout).toContain(`${targets.length * 2} of ${targets.length * 2} servers answer`);
  });

  test('those in TypeScript are sound', { timeout: PATIENT_MS }, async () => {
    const tsc = join(ROOT, 'node_modules/.bin/tsc');
    const { stdout, exitCode } = await execa(tsc, ['-p', BOARD], { reject: false });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
  });

  test('those in Go are sound', { timeout: PATIENT_MS }, async ({ skip }) => {
    skip(!targets.some(isInGo), leftOut.join('; '));
    const { all, exitCode } = await execa('go', ['vet', './...'], {
      cwd: BOARD,
      env: CALLERS,
      all: true,
      reject: false,
    });
    expect({ exitCode, all }).toEqual({ exitCode: 0, all: '' });
  });

  /** A query without its parameters, which the log has or has not, and in one line. */
  const shapeOf = ({ text }: Told) =>
    text
      .replaceAll(/\s+/g, ' ')
      .trim()
      .replaceAll(/\b\d+\b/g, '?');
  const isRun = ({ command }: Told) => command === 'Query' || command === 'Execute';

  test('run as many queries as the variant says, in its way, and none for the home page', {
    timeout: PATIENT_MS,
  }, async () => {
    await using observed = await startObserved(targets);
    for (const { name, env } of targets) {
      const forHome = await observed.toldDuring(() => observed.ask(name, '/home'));
      expect(forHome, name).toEqual([]);
      const told = await observed.toldDuring(() => observed.ask(name, '/latest'));
      const count = (wanted: string) => told.filter(({ command }) => command === wanted).length;
      const counts = {
        query: count('Query'),
        prepare: count('Prepare'),
        execute: count('Execute'),
        close: count('Close stmt'),
      };
      const queries = env.QUERIES === 'n-plus-one' ? 1 + 5 * POSTS : 1;
      const none = { query: 0, prepare: 0, execute: 0, close: 0 };
      const expected = new Map([
        ['interpolated', { ...none, query: queries }],
        ['prepared', { query: 0, prepare: queries, execute: queries, close: queries }],
        ['prepared-once', { ...none, execute: queries }],
      ]);
      expect(counts, name).toEqual(expected.get(env.STATEMENTS ?? 'interpolated'));
    }
  });

  test('run the same queries in all languages, which sort nothing and read no post for nothing', {
    timeout: PATIENT_MS,
  }, async () => {
    await using observed = await startObserved(targets);
    for (const queries of ['join', 'n-plus-one']) {
      const own = targets.filter(({ env }) => (env.QUERIES ?? 'join') === queries);
      const texts: string[][] = [];
      for (const { name } of own) {
        const told = await observed.toldDuring(() => observed.ask(name, '/latest'));
        texts.push(told.filter(isRun).map(shapeOf));
      }
      const [first = [], ...others] = texts;
      expect(others.length).toBeGreaterThan(0);
      for (const other of others) expect(other).toEqual(first);
      const [{ name = '' } = {}] = own;
      const [told] = await observed.toldDuring(() => observed.ask(name, '/latest'));
      const plan = await observed.planOf(told?.text ?? '');
      expect(plan[0]).toMatchObject({ table: 'posts', key: 'latest' });
      expect(Number(plan[0]?.rows)).toBe(POSTS);
      expect(plan.map(({ Extra }) => Extra).join()).not.toMatch(/filesort|temporary/);
    }
  });

  test('have pools of the same size, which keep their connections unless the variant says two', {
    timeout: PATIENT_MS,
  }, async () => {
    await using observed = await startObserved(targets);
    const many = Array.from({ length: 2 * POOL }, () => '/latest');
    for (const { name, env } of targets.filter(({ env }) => env.QUERIES !== 'n-plus-one')) {
      const askAll = () => Promise.all(many.map((path) => observed.ask(name, path)));
      expect(await observed.waitingAtOnce(askAll), name).toBe(POOL);
      const told = await observed.toldDuring(async () => {
        expect(await observed.waitingAtOnce(askAll), name).toBe(POOL);
      });
      expect(told.filter(isRun), name).toHaveLength(many.length);
      const opened = told.filter(({ command }) => command === 'Connect').length;
      expect(opened, name).toBe(POOL - Number(env.IDLE ?? POOL));
    }
  });
});
