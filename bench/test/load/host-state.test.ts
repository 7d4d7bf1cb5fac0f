import { describe, expect, test } from 'vitest';
import { type HostState, parseHost, problemsOf } from '../../src/load/host-state.ts';

const PRINTED = `time=1764000000500000000
address=10.0.0.1
k6=v1.8.1
node=v24.21.0
lacking=1 3
cores=8
files=unlimited
ports=32768\t60999
reserved=40000-40009,50000,9000
timeWait=12
backlog=4096
synchronised=no
governor=powersave`;
const FROM_NS = 1_764_000_000_000_000_000;

test('the output of a machine is parsed', () => {
  const state = parseHost('box', PRINTED, FROM_NS, FROM_NS + 2e8);
  const { clockAheadNs, clockErrorNs, ...others } = state;
  expect(others).toEqual({
    ...{ name: 'box', address: '10.0.0.1', k6: 'v1.8.1', node: 'v24.21.0' },
    ...{ lacking: [1, 3], cores: 8, files: null, timeWait: 12 },
    // 28,232 without 11 that are reserved; port 9000 is none of them.
    ...{ localPorts: 28_221, backlog: 4096, synchronised: 'no', governor: 'powersave' },
  });
  expect(clockAheadNs).toBeCloseTo(4e8, -4);
  expect(clockErrorNs).toBeCloseTo(1e8, -4);
});

const SILENT = { localPorts: null, timeWait: null, backlog: null };

test('values may be missing', () => {
  const bare = PRINTED.replaceAll(/^((?!time=|cores|files).*?)=.*$/gm, '$1=');
  expect(parseHost(null, bare, 0, 0)).toMatchObject({
    ...{ address: null, k6: null, node: null, lacking: [] },
    ...{ ...SILENT, synchronised: null, governor: null },
  });
});

const OTHERS = ['', 'Welcome to box!', PRINTED.replace('cores=8', 'cores=many')];
test.each(OTHERS)('any other output is an error: %s', (text) => {
  expect(() => parseHost('box', text, 0, 0)).toThrow('unexpected output');
});

describe('in the way of load', () => {
  const ENOUGH: HostState = {
    ...{ name: 'box', address: '10.0.0.1', k6: 'v1.8.1', node: 'v22.18.0', lacking: [] },
    ...{ cores: 8, files: 10_000, localPorts: 28_000, timeWait: 0, backlog: 4096 },
    ...{ synchronised: 'yes', governor: 'performance', clockAheadNs: 0, clockErrorNs: 1e6 },
  };
  const found = (changes: Partial<HostState>, sender: 'k6' | 'overhead' | null = 'k6') => {
    return problemsOf({ ...ENOUGH, ...changes }, { sender, connections: 1000 });
  };

  test('is nothing if a machine has enough, or its values are unknown', () => {
    const silent = { ...SILENT, synchronised: null, governor: null };
    expect([found({}), found(silent), found({ files: null }, null)]).toEqual([[], [], []]);
  });

  test.each([
    ['k6', { k6: null }, 'k6 is not on its PATH'],
    ['files', { files: 1099 }, '1000 connections need 1100 open files, and it allows 1099'],
    ['ports', { localPorts: 999 }, '1000 connections need a local port each, and it has 999'],
  ] as const)('are too few %s, and the load is refused', (_what, changes, what) => {
    expect(found(changes)).toMatchObject([{ isFatal: true, what }]);
  });

  test.each([
    ['ports in TIME_WAIT', { timeWait: 20_000 }, '20000 of its 28000 local ports'],
    ['a clock that is not synchronised', { synchronised: 'no' }, 'its clock'],
    ['a governor that saves power', { governor: 'powersave' }, '"powersave"'],
  ] as const)('may be %s', (_what, changes, what) => {
    const problems = found(changes);
    expect(problems).toMatchObject([{ isFatal: false, what: expect.stringContaining(what) }]);
    expect(problems.every(({ todo }) => todo.endsWith('.') || todo.includes(': '))).toBe(true);
  });

  test.each([
    [null, 'node is not on its PATH'],
    ['v22.9.1', 'its Node is v22.9.1'],
    ['v22.17.1', 'its Node is v22.17.1'],
  ])('is a Node beside other servers that is missing or too old: %s', (node, what) => {
    expect(found({ node }, null)).toMatchObject([{ isFatal: true, what }]);
    expect(found({ node })).toEqual([]);
    expect(found({ name: null, node }, null)).toEqual([]);
  });

  test('k6 matters only where it sends, and the backlog only where the servers are', () => {
    expect(found({ k6: null }, 'overhead')).toEqual([]);
    expect(found({ k6: null, localPorts: 10 }, null)).toEqual([]);
    expect(found({ backlog: 128 })).toEqual([]);
    expect(found({ backlog: 128 }, null)).toMatchObject([{ isFatal: false }]);
  });
});
