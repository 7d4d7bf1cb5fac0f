import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BENCH, WORKLOADS } from '../../src/base/places.ts';
import { readTargets } from '../../src/targets/targets.ts';
import { ownWorkloads } from '../../src/workload/read.ts';

/** Frameworks that are in other words too: every package of theirs is named so, and Go's own library. */
const EVERYWHERE = ['express', 'fastify', 'nest', 'nest-fastify', 'floor', 'net-http'];

test('no file of the harness names a workload, its targets or its source', () => {
  const workloads = ownWorkloads();
  const targets = workloads.flatMap(({ name }) => readTargets(join(WORKLOADS, name)));
  const roots = targets.filter(({ variantOf }) => variantOf === null).map(({ name }) => name);
  const names = [...workloads.map(({ name }) => name), ...roots];
  const own = names.filter((name) => !EVERYWHERE.includes(name));
  expect(own).toContain('elysia');
  const sources = workloads.flatMap(({ workload: { published } }) => published?.source ?? []);
  const words = new RegExp(`\\b(${own.join('|')})\\b`, 'i');
  const found = globSync('src/**/*.ts', { cwd: BENCH }).flatMap((file) => {
    const text = readFileSync(join(BENCH, file), 'utf8');
    const named = [words.exec(text)?.[0], ...sources.filter((source) => text.includes(source))];
    return named.filter((each) => each !== undefined).map((each) => `${file}: ${each}`);
  });
  expect(found.toSorted()).toEqual([
    // The image of a container with k6.
    ...['src/commands/k8s.ts: image', 'src/load/k8s.ts: image'],
    ...['src/request/option-values.ts: image', 'src/request/run-options.ts: image'],
    // How to get a package of the distribution that a target may need.
    'src/targets/needs.ts: php-imagick',
  ]);
});
