import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ownWorkloads, readWorkload, requireTargets } from '../../src/workload/read.ts';
import { userError } from '../support/caught.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const LEAST = {
  title: 'Two servers',
  question: 'measures two servers',
  amounts: {
    ...{ topologies: ['single'], connections: 10, pipelining: 1 },
    ...{ durationS: 2, sliceS: 1, launches: 2, warmupS: 1 },
  },
  quick: { amounts: {} },
  loads: [{ kind: 'closed', id: 'limit', label: 'at their limit' }],
  show: [{ table: 'levels', loads: ['limit'], columns: ['cpu'] }],
};

function readAs(declared: unknown) {
  using folder = temporaryFolder();
  folder.write('mine/workload.json', declared);
  return readWorkload(join(folder.path, 'mine'));
}

test('the workloads of this repository are those whose folder has a declaration', () => {
  expect(ownWorkloads().map(({ name }) => name)).toEqual(['bidder', 'board', 'image', 'ladder']);
});

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

describe('a declaration', () => {
  test('has its name from its folder, and what it leaves out as usual', () => {
    const { name, workload } = readAs(LEAST);
    expect(name).toBe('mine');
    expect(workload).toMatchObject({
      targets: {},
      claims: [],
      comparisons: [],
      splitByRequest: false,
    });
    expect(workload.loads).toMatchObject([
      { headline: 'throughput', placements: [{ on: 'all', targets: {} }], waitForAll: false },
    ]);
  });

  test.each([
    [{ ...LEAST, titel: 'x' }, 'Unrecognized key: "titel"'],
    [{ ...LEAST, loads: [] }, 'loads: '],
    [
      { ...LEAST, loads: [{ kind: 'closed', id: 'a/b', label: 'x' }] },
      'loads.0.id: expected letters',
    ],
    [{ ...LEAST, show: [{ table: 'runtimes', loads: ['limit'] }] }, 'show.0'],
    [{ ...LEAST, show: [{ table: 'changes', load: 'limits' }] }, 'there is no load "limits"'],
    [
      {
        ...LEAST,
        claims: [{ label: 'so', claim: 'it is', test: { compare: 'a', expect: 'more' } }],
      },
      'there is no comparison "a"',
    ],
    [
      { ...LEAST, show: [{ table: 'levels', loads: ['limit'], columns: [{ checked: 'bytes' }] }] },
      '"checked" has no "bytes"',
    ],
    [{ ...LEAST, loads: [...LEAST.loads, ...LEAST.loads] }, 'there are two of "limit"'],
    [
      { ...LEAST, loads: [{ kind: 'open', id: 'limit', rate: { ofSlowest: 1 }, maxInFlight: 9 }] },
      '"ofSlowest" needs a closed load',
    ],
    [
      {
        ...LEAST,
        loads: [
          ...LEAST.loads,
          { kind: 'open', id: 'a', rate: { ofSlowest: 1 }, maxInFlight: 9 },
          { kind: 'open', id: 'b', rate: { busyAtMost: 0.2 }, maxInFlight: 9 },
        ],
      },
      'different pilots',
    ],
    [[], 'the declaration: '],
  ])('says what is wrong in it', (declared, problem) => {
    const error = userError(() => readAs(declared));
    expect(error.message).toContain(problem);
    expect(error.next).toContain('docs/WORKLOADS.md');
  });

  test('that is no JSON, or is not there, is named', () => {
    using folder = temporaryFolder();
    expect(() => readWorkload(folder.path)).toThrow(/can't read .*workload\.json/);
    folder.write('workload.json', '{');
    expect(() => readWorkload(folder.path)).toThrow(/can't read .*workload\.json/);
  });
});
