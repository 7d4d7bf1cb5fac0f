import { expect, test } from 'vitest';
import { parseSystem, peakOf, pssOf } from '../../src/system/usage.ts';

const rollup = 'Rss:   90000 kB\nPss:   45678 kB\nPss_Dirty:  30000 kB\nSwapPss:   7 kB\n';
const status = 'VmPeak:  99999 kB\nVmHWM:   45678 kB\nVmRSS:   30000 kB\n';
const stat = 'cpu  100 20 30 4000 500 6 7 80 900 1000\ncpu0 1 1 1 1 1 1 1 1 1 1\n';

test('of each file that line is read which it is, and no other', () => {
  // Without idle, iowait and steal, in ticks of 10 ms.
  expect(parseSystem(stat)).toEqual({ busyNs: 163 * 1e7, stealNs: 80 * 1e7 });
  expect([pssOf(rollup), peakOf(status)]).toEqual([45_678 * 1024, 45_678 * 1024]);
});

test('where the line is missing, memory is an error', () => {
  expect(() => pssOf(rollup.replace('\nPss:', '\nNot:'))).toThrow('no Pss line');
  expect(() => peakOf(status.replace('VmHWM', 'VmNot'))).toThrow('no VmHWM line');
});
