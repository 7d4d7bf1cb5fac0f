/** The bidders of both languages, with every variant, give the same answers, byte for byte. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ROOT } from '../../src/base/places.ts';
import { onPath } from '../../src/system/on-path.ts';
import { readTargets } from '../../src/targets/targets.ts';
import { start } from '../cli/harness.ts';
import { ownPlace } from '../support/leftovers.ts';
import { missingHere } from '../support/services.ts';

const WORKLOAD = join(ROOT, 'workloads/bidder');
const place = ownPlace();

/** Builds find caches and registries by these, and a test has a home folder of its own. */
const TOOLS: Record<string, string> = {
  ...Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => {
      const isTools = /^(GO[A-Z]+|npm_config_registry)$/i.test(name);
      return isTools && value !== undefined ? [[name, value]] : [];
    }),
  ),
  HOME: homedir(),
};
const NO_GO = onPath('go') ? null : 'not here: go';

/** Installing and building take minutes where nothing is cached. */
const BUILDING = { timeout: 600_000 };

function run(folder: string, [file, ...args]: [string, ...string[]]) {
  return execa(file, args, {
    cwd: join(WORKLOAD, folder),
    env: { ...place.environment, ...TOOLS },
    reject: false,
    all: true,
  });
}

beforeAll(async () => {
  const { exitCode, all } = await run('nest', [process.execPath, '../../install.mjs']);
  expect(exitCode, all).toBe(0);
}, BUILDING.timeout);

test('the committed requests and answers are those that the reference makes', async () => {
  const { exitCode, all } = await run('.', [process.execPath, 'reference/generate.mjs', '--check']);
  expect(exitCode, all).toBe(0);
  expect(all).toContain('20 requests, 4 without an answer');
});

test('a variant changes one variable of what it is a variant of', () => {
  const targets = readTargets(WORKLOAD);
  const envOf = (name: string | null) => {
    return Object.entries(targets.find((target) => target.name === name)?.env ?? {}).map(String);
  };
  const variants = targets.filter(({ variantOf }) => variantOf !== null);
  expect(variants.length).toBeGreaterThan(10);
  for (const { name, variantOf } of variants) {
    const [before, after] = [envOf(variantOf), envOf(name)];
    expect(after, name).toEqual(expect.arrayContaining(before));
    expect(after.length - before.length, name).toBe(1);
  }
});

describe('where Redis and Go are here', () => {
  beforeEach(({ skip }) => {
    const missing = missingHere('redis') ?? NO_GO;
    skip(missing !== null, missing ?? '');
  });

  test.each([
    { targets: 'all', topology: 'single' },
    { targets: 'nest,gin', topology: '2' },
  ])('$targets as $topology give the known answers', BUILDING, async ({ targets, topology }) => {
    const chosen = ['--packages', WORKLOAD, '--targets', targets, '--topology', topology];
    const { code, stdout, stderr } = await start(place, ['verify', ...chosen], TOOLS).finished;
    const count = targets === 'all' ? readTargets(WORKLOAD).length : targets.split(',').length;
    expect(code, `${stdout}\n${stderr}`).toBe(0);
    expect(stdout).toContain(`${count} of ${count} servers answer as declared`);
  });
});

test("the Go port of lz-string makes the same bytes as npm's", BUILDING, async ({ skip }) => {
  skip(NO_GO !== null, NO_GO ?? '');
  const { exitCode, all } = await run('gin', ['go', 'test', '-count=1', './...']);
  expect(exitCode, all).toBe(0);
  expect(all).toMatch(/^ok .*lzstring/m);
});
