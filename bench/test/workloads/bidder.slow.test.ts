/** All bidders and variants, in both languages, give the same answers, byte for byte. */
import { describe, expect, test } from 'vitest';
import { readTargets } from '../../src/targets/targets.ts';
import { ownPlace } from '../support/leftovers.ts';
import { CLUSTER_OF_2 } from '../support/topologies.ts';
import { startAnswering, workload } from '../support/workload.ts';

const { folder, targets, leftOut, isBuilt, run, needGo } = workload('bidder', 'redis');

ownPlace();

test('a variant changes one variable of its base', () => {
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
    const said = await run(process.execPath, ['reference/generate.mjs', '--check']);
    expect(said).toContain('20 requests, 4 without an answer');
  });

  test("in Go have a port of lz-string that makes the same bytes as npm's", async ({ skip }) => {
    needGo(skip);
    expect(await run('go', ['test', '-count=1', './...'], 'gin')).toMatch(/^ok .*lzstring/m);
  });
});
