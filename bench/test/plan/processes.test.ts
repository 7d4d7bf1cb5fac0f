import { expect, test } from 'vitest';
import { processesFor, withNeighbours } from '../../src/plan/processes.ts';

test.each([
  ['a rate that one keeps up with room', 500, 1e6, 2, 1],
  ['one that would keep a process busy for more than 80 % of the time', 900, 1e6, 2, 2],
  ['more than the limit lets run at once', 9000, 1e6, 2, 2],
  ['a limit below a core', 900, 1e6, 0.5, 1],
  ['hardly any requests', 0.1, 1e3, 4, 1],
])('%s', (_, ratePerS, cpuNs, limit, processes) => {
  expect(processesFor(ratePerS, cpuNs, limit)).toBe(processes);
});

test('one fewer and one more of each are beside it, and none is less than a single process', () => {
  expect(withNeighbours([1])).toEqual(['single', 2]);
  expect(withNeighbours([4, 2])).toEqual(['single', 2, 3, 4, 5]);
});
