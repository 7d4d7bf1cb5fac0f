import { afterAll, beforeAll, expect, test } from 'vitest';
import { onPathAlone } from '../support/fake-programs.ts';
import type { World } from '../support/simulated/backend.ts';
import { simulateRun } from '../support/simulated-run.ts';
import { expectAnswers } from './harness.ts';

const QUICK = ['truth', '--quick', '--seed', '3'];
const FOUND = 'The harness finds what is known.';

/** What each does more than the twins, ns. */
const MORE: Record<string, number> = {
  ...{ 'spin-1': 1000, 'spin-3': 3000, 'spin-10': 10_000, 'go-spin-3': 3000 },
  ...{ objects: 2000, json: 2000, buffers: 2000, 'go-objects': 2000 },
};
const GARBAGE_NS = 500;

/** Servers that cost what they say. */
const server: NonNullable<World['server']> = (target) => {
  const handlerNs = MORE[target] ?? 0;
  const gcNs = handlerNs === 2000 ? GARBAGE_NS : 0;
  return {
    ...{ coldTimes: 1, cpuNs: 8000 + handlerNs + gcNs, bytesPerResponse: 1200 },
    handler: { medianNs: handlerNs, meanNs: handlerNs, gcNs },
  };
};

let programs: Disposable;
beforeAll(() => {
  programs = onPathAlone('go');
});
afterAll(() => programs[Symbol.dispose]());

test('`truth` finds what is known', async () => {
  const { code, stdout, record } = await simulateRun(QUICK, { server });
  expect(code).toBe(0);
  expect(record).toMatchObject({ state: 'complete', failures: [] });
  expectAnswers(record);
  expect(stdout).toMatch(/^overhead truth\n/);
  expect(stdout).toContain(FOUND);
  for (const { cell, handler } of record.slices) {
    if (cell.startsWith('sized')) expect(handler).toBeNull();
    else expect(handler?.gcNs).toBeGreaterThanOrEqual(0);
  }
});

test('`truth` ends with 1 where it misses something', async () => {
  const { code, stdout } = await simulateRun(QUICK, {
    server: (target, ...rest) => {
      const { cpuNs = 0, ...model } = server(target, ...rest);
      return { ...model, cpuNs: target === 'spin-3' ? cpuNs + 2000 : cpuNs };
    },
  });
  expect(code).toBe(1);
  expect(stdout).toContain('The harness missed: 3 µs more, CPU µs/request.');
});

test.each([
  {
    when: 'in one launch',
    dies: (launch: number) => launch === 1,
    code: 0,
    isFound: true,
    launch: 1,
  },
  { when: 'whenever it is started', dies: () => true, code: 1, isFound: false, launch: 0 },
])('`truth` goes on without a server that dies $when', async ({ dies, code, isFound, launch }) => {
  const run = await simulateRun(QUICK, {
    server: (target, topology, each) => ({
      ...server(target, topology, each),
      ...(target === 'objects' && dies(each) ? { diesAfterRequests: 40_000 } : {}),
    }),
  });
  expect(run).toMatchObject({ code, record: { state: 'complete' } });
  expect(run.stdout.includes(FOUND)).toBe(isFound);
  expect(run.stderr).toContain('objects/single failed: ');
  expect(run.record.failures).toMatchObject([
    { server: 'objects/single', when: 'slice', launch, died: true },
  ]);
});
