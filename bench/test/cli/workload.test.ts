import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FIXTURES } from '../support/fixtures.ts';
import { simulateRun } from '../support/simulated-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { expectAnswers, rowOf } from './harness.ts';

const DECLARED = {
  title: 'Two message boards',
  question: 'measures two message boards of somebody else',
  unit: { one: 'page', many: 'pages', cpu: 'ms' },
  splitByRequest: true,
  amounts: {
    ...{ topologies: ['single'], connections: 4, pipelining: 1 },
    ...{ durationS: 1, sliceS: 0.2, launches: 3, warmupS: 3 },
  },
  quick: { amounts: { launches: 2 }, targets: { path: '/home' } },
  asPublished: {
    amounts: { durationS: 3, warmupS: 2, warmupRate: { perS: 100, connections: 5 } },
    targets: { path: '/latest' },
  },
  loads: [
    { kind: 'closed', id: 'limit', label: 'at their limit', headline: 'cpu', waitForAll: true },
    { kind: 'open', id: 'shared', rate: { ofSlowest: 0.5 }, maxInFlight: 50 },
  ],
  show: [
    { table: 'claims', note: 'Read the article first.' },
    { table: 'levels', loads: ['limit'], columns: ['throughput', 'cpu', 'p50', 'p99', 'PSS'] },
    { table: 'levels', loads: ['shared'], columns: ['answered', 'busy', 'mean', 'p75', 'p95'] },
    { table: 'changes', load: 'limit' },
  ],
  comparisons: [
    { id: 'go', figure: 'cpu', load: 'limit', of: 'fiber-home', over: 'elysia-home', published: 2 },
  ],
  published: {
    ...{ source: 'An article', machine: 'a laptop' },
    values: [{ target: 'fiber-home', load: 'limit', figure: 'throughput', value: 5000 }],
  },
  claims: [
    {
      label: 'twice',
      claim: 'Go takes twice the CPU',
      test: { compare: 'go', expect: [1.8, 2.2] },
    },
    {
      label: 'Bun',
      claim: 'Bun is cheaper',
      test: { compare: 'go', expect: 'more' },
      because: 'so it says',
    },
    { label: 'eight cores', claim: 'On eight cores it is 3 times', test: { needs: '8 cores' } },
  ],
};

const COSTS: Record<string, number> = { 'fiber-home': 400, 'elysia-home': 200 };

test('a folder of targets with a declaration is measured, judged and shown, whoever made it', async () => {
  using folder = temporaryFolder();
  cpSync(join(FIXTURES, 'board'), folder.path, { recursive: true });
  folder.write('workload.json', DECLARED);
  const { code, stdout, record } = await simulateRun(['workload', folder.path], {
    server: (target) => ({ coldTimes: 1, cpuNs: 1000 * (COSTS[target] ?? 800) }),
  });
  expect(code).toBe(0);
  expectAnswers(record);
  expect(record).toMatchObject({ state: 'complete', workload: { title: 'Two message boards' } });
  expect(record.plan.loads).toMatchObject([
    { id: 'limit', connections: 4, headline: 'cpu', waitForAll: true },
    { id: 'shared', kind: 'open', ratePerS: 630 },
  ]);
  const text = stdout.replaceAll(/\s+/g, ' ');
  expect(text).toContain('twice holds 2.00 [2.00, 2.00]');
  expect(text).toContain('Bun: “Bun is cheaper”: so it says.');
  expect(text).toContain('eight cores not measured it needs 8 cores');
  expect(text).toContain('Published: An article, on a laptop. Read the article first.');
  expect(rowOf(stdout, 'Fiber /home')).toBeDefined();
  expect(stdout).toContain('Pages as single processes, at their limit (-c 4 -p 1)');

  const quick = await simulateRun(['workload', '--quick', '--seed', '7', folder.path], {});
  expect(quick.record.workload).toMatchObject({ title: 'Two message boards' });
  const paths = quick.record.targets.map(({ requests: [first] }) => first?.request.path);
  expect(new Set(paths)).toEqual(new Set(['/home']));
});

test('with --as-published it has the literal load in one launch, after a warm-up at a rate', async () => {
  using folder = temporaryFolder();
  cpSync(join(FIXTURES, 'board'), folder.path, { recursive: true });
  folder.write('workload.json', DECLARED);
  const published = await simulateRun(['workload', '--as-published', folder.path], {});
  expect(published.record.plan).toMatchObject({
    warmup: { kind: 'paced', ns: 2e9, driver: 'pacer', ratePerS: 100, connections: 5 },
    loads: [{ id: 'limit', method: 'contiguous', sliceNs: 3e9 }, { id: 'shared' }],
    launches: [expect.anything()],
  });
  const requests = published.record.targets.map(({ requests: [first] }) => first?.request.path);
  expect(new Set(requests)).toEqual(new Set(['/latest']));
  expect(published.stdout).toContain('One launch has no interval.');
});
