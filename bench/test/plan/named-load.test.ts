import { expect, test } from 'vitest';
import { concurrencyFor, loadByProbes, type ProbeSummary } from '../../src/plan/named-load.ts';
import { makeOptions } from '../support/make-record.ts';

const QUICK: ProbeSummary = {
  ...{ kind: 'learnt', server: 'app', bytes: 20, pipelines: true },
  ...{ serviceNs: 2e5, cpuNs: 1e5 },
};
const taking = (ns: number): ProbeSummary => ({ ...QUICK, serviceNs: ns, cpuNs: ns });

test.each<[string, Partial<ProbeSummary>, number[], number, number]>([
  ['the cost load for quick servers', {}, [], 100, 10],
  ['not pipelined for a server that does not pipeline', { pipelines: false }, [], 100, 1],
  // A request that comes alone costs up to 0.4 ms more.
  ['what the costliest server does in a quarter of a second', { cpuNs: 10e6 }, [], 27, 1],
  ['even fewer for a slower server', { cpuNs: 60e6 }, [], 5, 1],
  ['four at least', { cpuNs: 10e9 }, [], 4, 1],
  ['no fewer under a limit of more than a core', { cpuNs: 10e6 }, [1.5], 27, 1],
  ['fewer in proportion to the lowest limit', { cpuNs: 10e6 }, [0.5, 0.2], 6, 1],
  ['no more than 64 MB of answers', { bytes: 5e6 }, [], 12, 1],
  ['four at least, however large', { bytes: 32e6 }, [], 4, 1],
  ['the cost load for empty answers', { bytes: 0 }, [], 100, 10],
])('under way is %s', (_, changes, cpuLimits, connections, pipelining) => {
  const amounts = { connections, pipelining };
  expect(concurrencyFor({ ...QUICK, ...changes }, { cpuLimits })).toEqual(amounts);
});

test.each([
  ['as many as are asked for', {}, 400],
  ['as many however noisy the probe', { cpuNs: 4e5 }, 400],
  ['fewer for a costlier server', { cpuNs: 1.4e6 }, 100],
])('without pipelining, under way are %s', (_, changes, connections) => {
  const most = { connections: 400, pipelining: 1, waitingNs: 1e8 };
  const found = concurrencyFor({ ...QUICK, ...changes }, { cpuLimits: [] }, most);
  expect(found).toEqual({ connections, pipelining: 1 });
});

// Five rounds of 0.6 s.
const OPTIONS = makeOptions({ connections: 5, durationS: 6, launches: 2, sliceS: 0.6 });
const loadOf = (learnt: ProbeSummary, parts = {}) =>
  loadByProbes(learnt, { ...OPTIONS, ...parts }, 'cpu');
const CONTIGUOUS = { contiguous: true };
const WHOLE = { method: 'contiguous', sliceNs: 6e9, everyNthRound: 1 };
const PIPELINED = { connections: 100, pipelining: 2 };
const FORTY = { sliceNs: 2.4e9, everyNthRound: 1, timeoutNs: 10e9 };
const LIMITED = { cpuLimits: [0.1] };

test.each([
  ['is one slice a launch', QUICK, {}, { sliceNs: 3e9, everyNthRound: 5, blocks: 60 }],
  ['is contiguous if that is asked for', QUICK, CONTIGUOUS, WHOLE],
  // Five requests take 0.1 s, and so does a turn.
  ['has turns that hold what is under way', taking(20e6), {}, { sliceNs: 0.8e9, blocks: 8 }],
  // 200 of 160 µs, nine tenths of which they take only alone: what is under way takes 3.2 ms.
  ['has turns for requests that are not alone', taking(1.6e5), PIPELINED, { blocks: 60 }],
  ['has slices of forty answers of the slowest', taking(60e6), {}, FORTY],
  ['has time-outs that it can meet', taking(5e9), {}, { timeoutNs: 5 * (5 * 5e9 + 5e9) }],
  ['gives a limited server more time', taking(60e6), LIMITED, loadOf(taking(600e6))],
])('the load %s', (_, learnt, parts, expected) => {
  expect(loadOf(learnt, parts)).toMatchObject(expected);
  // If CPU time can't be read of all servers.
  expect(loadByProbes(learnt, OPTIONS, 'throughput').headline).toBe('throughput');
});

test('the load has shorter turns if that is asked for', () => {
  expect(loadByProbes(QUICK, OPTIONS, 'cpu', 2e7)).toMatchObject({ sliceNs: 3e9, blocks: 150 });
});
