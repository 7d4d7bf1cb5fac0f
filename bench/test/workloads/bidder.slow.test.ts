/** The bidders of both languages, with every variant, give the same answers, byte for byte. */
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { readTargets } from '../../src/targets/targets.ts';
import { CLUSTER_OF_2 } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { startAnswering, workload } from '../support/workload.ts';

const { folder, targets, leftOut, environment, isBuilt } = workload('bidder', 'redis');

ownPlace();

function run(target: string, [file, ...args]: [string, ...string[]]) {
  return execa(file, args, {
    cwd: join(folder, target),
    env: environment,
    reject: false,
    all: true,
  });
}

test('a variant changes one variable of what it is a variant of', () => {
  const all = readTargets(folder);
  const envOf = (name: string | null) => {
    return Object.entries(all.find((target) => target.name === name)?.env ?? {}).map(String);
  };
  const variants = all.filter(({ variantOf }) => variantOf !== null);
  expect(variants.length).toBeGreaterThan(10);
  for (const { name, variantOf } of variants) {
    const [before, after] = [envOf(variantOf), envOf(name)];
    expect(after, name).toEqual(expect.arrayContaining(before));
    expect(after.length - before.length, name).toBe(1);
  }
});

describe('the servers', () => {
  isBuilt();

  test('give the known answers, in every variant', async ({ annotate }) => {
    for (const sentence of leftOut) await annotate(`left out: ${sentence}`);
    await using _servers = await startAnswering(targets);
  });

  test('give the known answers on two cores', async () => {
    const plain = targets.filter(({ variantOf }) => variantOf === null);
    await using _servers = await startAnswering(plain, CLUSTER_OF_2);
  });

  test('have the committed requests and answers that the reference makes', async () => {
    const generate = [process.execPath, 'reference/generate.mjs', '--check'] as const;
    const { exitCode, all } = await run('.', [...generate]);
    expect(exitCode, all).toBe(0);
    expect(all).toContain('20 requests, 4 without an answer');
  });

  test("in Go have a port of lz-string that makes the same bytes as npm's", async ({ skip }) => {
    const isInGo = targets.some(({ needs }) => needs.includes('go'));
    skip(!isInGo, leftOut.join('; '));
    const { exitCode, all } = await run('gin', ['go', 'test', '-count=1', './...']);
    expect(exitCode, all).toBe(0);
    expect(all).toMatch(/^ok .*lzstring/m);
  });
});
