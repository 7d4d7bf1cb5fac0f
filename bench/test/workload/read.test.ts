import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { BENCH, ROOT, WORKLOADS } from '../../src/base/places.ts';
import { recordSchema } from '../../src/record/record.ts';
import { readTargets } from '../../src/targets/targets.ts';
import { workloadSchema } from '../../src/workload/declaration.ts';
import { ownWorkloads, readWorkload, requireTargets } from '../../src/workload/read.ts';
import { userError } from '../support/caught.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test.each([
  ['record', 'A record of overhead', recordSchema],
  ['workload', undefined, workloadSchema],
])('docs have the schema of a %s; `vitest --update` writes it', async (name, title, schema) => {
  // As it is in a file, where what has a default may be absent.
  const json = { ...(title && { title }), ...z.toJSONSchema(schema, { io: 'input' }) };
  const text = `${JSON.stringify(json, null, 2)}\n`;
  await expect(text).toMatchFileSnapshot(join(ROOT, `docs/${name}.schema.json`));
});

const LIMIT = { kind: 'closed', id: 'limit', label: 'at their limit' };
const LEAST = {
  title: 'Two servers',
  question: 'measures two servers',
  amounts: {
    ...{ topologies: ['single'], connections: 10, pipelining: 1 },
    ...{ durationS: 2, sliceS: 1, launches: 2, warmupS: 1 },
  },
  quick: { amounts: {} },
  loads: [LIMIT],
  show: [{ table: 'levels', loads: ['limit'], columns: ['cpu'] }],
};

function readAs(declared: unknown) {
  using folder = temporaryFolder();
  folder.write('mine/workload.json', declared);
  return readWorkload(join(folder.path, 'mine'));
}

test.each(ownWorkloads())('every target that $name names is in its folder', (workload) => {
  expect(() => requireTargets(workload)).not.toThrow();
});

test('a target that is not in the folder is named, with those that are', () => {
  const [board] = ownWorkloads().filter(({ name }) => name === 'board');
  if (board === undefined) throw new Error('there is a board');
  const workload = { ...board.workload, targets: { names: ['elysia-homes'] } };
  const { message, next } = userError(() => requireTargets({ ...board, workload }));
  expect(message).toContain('there is no target "elysia-homes"');
  expect(next).toContain('elysia-home,');
});

test('a declaration has its name from its folder, and defaults for what it leaves out', () => {
  const { name, workload } = readAs(LEAST);
  expect(name).toBe('mine');
  const empty = { targets: {}, claims: [], comparisons: [], splitByRequest: false };
  expect(workload).toMatchObject(empty);
  expect(workload.loads).toMatchObject([
    { headline: 'throughput', placements: [{ on: 'all', targets: {} }], waitForAll: false },
  ]);
});

const TEST = { compare: 'a', expect: 'more' };
const CHECKED = { table: 'levels', loads: ['limit'], columns: [{ checked: 'bytes' }] };
const rate = (id: string, derived: object) => ({ kind: 'open', id, rate: derived, maxInFlight: 9 });
const [OF_SLOWEST, BY_BUSY] = [rate('a', { ofSlowest: 1 }), rate('b', { busyAtMost: 0.2 })];

test.each<[object, string]>([
  [{ titel: 'x' }, 'Unrecognized key: "titel"'],
  [{ loads: [] }, 'loads: '],
  [{ loads: [{ kind: 'closed', id: 'a/b', label: 'x' }] }, 'loads.0.id: expected letters'],
  [{ show: [{ table: 'runtimes', loads: ['limit'] }] }, 'show.0'],
  [{ show: [{ table: 'changes', load: 'limits' }] }, 'there is no load "limits"'],
  [{ claims: [{ label: 'so', claim: 'it is', test: TEST }] }, 'there is no comparison "a"'],
  [{ show: [CHECKED] }, 'there is no checked figure "bytes"'],
  [{ loads: [LIMIT, LIMIT] }, 'there are two of "limit"'],
  [{ loads: [{ ...OF_SLOWEST, id: 'limit' }] }, '"ofSlowest" needs a closed load'],
  [{ loads: [LIMIT, OF_SLOWEST, BY_BUSY] }, 'different pilots'],
  [[], 'the declaration: '],
])('a declaration with %j is refused: %s', (changes, problem) => {
  const declared = Array.isArray(changes) ? changes : { ...LEAST, ...changes };
  const error = userError(() => readAs(declared));
  expect(error.message).toContain(problem);
  expect(error.next).toContain('docs/WORKLOADS.md');
});

test('a declaration that is not JSON, or does not exist, is named', () => {
  using folder = temporaryFolder();
  expect(() => readWorkload(folder.path)).toThrow(/can't read .*workload\.json/);
  folder.write('workload.json', '{');
  expect(() => readWorkload(folder.path)).toThrow(/can't read .*workload\.json/);
});

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
    'src/request/options.ts: image',
    // How to get a package of the distribution that a target may need.
    'src/targets/needs.ts: php-imagick',
  ]);
});
