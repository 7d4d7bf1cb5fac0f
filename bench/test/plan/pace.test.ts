import { describe, expect, test } from 'vitest';
import { type Learnt, learntLoad, underWay } from '../../src/plan/pace.ts';
import { makeOptions } from '../support/make-record.ts';

const QUICK: Learnt = {
  kind: 'learnt',
  server: 'app',
  serviceNs: 2e5,
  cpuNs: 1e5,
  bytes: 20,
  pipelines: true,
};
const taking = (ns: number): Learnt => ({ ...QUICK, serviceNs: ns, cpuNs: ns });

test.each<[string, Partial<Learnt>, number[], number, number]>([
  ['the cost load for servers that are quick', {}, [], 100, 10],
  ['not pipelined where a server does not answer so', { pipelines: false }, [], 100, 1],
  ['what the dearest works off in a quarter of a second', { cpuNs: 10e6 }, [], 25, 1],
  ['what the dearest works off, still', { cpuNs: 60e6 }, [], 5, 1],
  ['four at least', { cpuNs: 10e9 }, [], 4, 1],
  ['no less under a limit of more than a core', { cpuNs: 10e6 }, [1.5], 25, 1],
  ['as much less as the lowest limit is less than a core', { cpuNs: 10e6 }, [0.5, 0.2], 5, 1],
  ['no more than 64 MB of answers', { bytes: 5e6 }, [], 12, 1],
  ['four at least, however large', { bytes: 32e6 }, [], 4, 1],
  ['the cost load where answers are empty', { bytes: 0 }, [], 100, 10],
])('under way is %s', (_, changes, cpuLimits, connections, pipelining) => {
  const amounts = { connections, pipelining };
  expect(underWay({ ...QUICK, ...changes }, { cpuLimits })).toEqual(amounts);
});

describe('the load', () => {
  // Five rounds of 0.6 s.
  const options = makeOptions({ connections: 5, durationS: 6, launches: 2, sliceS: 0.6 });
  const loadOf = (learnt: Learnt, parts = {}) =>
    learntLoad(learnt, { ...options, ...parts }, 'cpu');

  test.each([
    [
      'is all of a launch in one slice, of turns of 50 ms',
      QUICK,
      {},
      { sliceNs: 3e9, everyNthRound: 5, blocks: 60 },
    ],
    [
      'is unbroken where that is asked for',
      QUICK,
      { contiguous: true },
      { method: 'contiguous', sliceNs: 6e9, everyNthRound: 1 },
    ],
    // Five requests take 0.1 s, and a turn is twice as long.
    ['has turns that what is under way fits into', taking(20e6), {}, { sliceNs: 0.8e9, blocks: 4 }],
    // 200 of 160 µs, of which waking takes four fifths: what is under way takes 6.4 ms.
    [
      'has turns without what waking a server takes',
      taking(1.6e5),
      { connections: 100, pipelining: 2 },
      { sliceNs: 3e9, blocks: 60 },
    ],
    [
      'has slices of forty answers of the slowest',
      taking(60e6),
      {},
      { sliceNs: 2.4e9, everyNthRound: 1, timeoutNs: 10e9 },
    ],
    ['has time-outs that it can meet', taking(5e9), {}, { timeoutNs: 5 * (5 * 5e9 + 5e9) }],
    [
      'gives a limited server as much more time',
      taking(60e6),
      { cpuLimits: [0.1] },
      loadOf(taking(600e6)),
    ],
  ])('%s', (_, learnt, parts, expected) => {
    expect(loadOf(learnt, parts)).toMatchObject(expected);
  });

  test('has shorter turns where that is asked for', () => {
    expect(learntLoad(QUICK, options, 'cpu', 2e7)).toMatchObject({ sliceNs: 3e9, blocks: 150 });
  });

  test('is there for requests/s where CPU time is not known of all', () => {
    expect(learntLoad(QUICK, options, 'throughput').headline).toBe('throughput');
  });
});
