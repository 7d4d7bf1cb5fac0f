import { describe, expect, test } from 'vitest';
import {
  parseProcess,
  parseSystem,
  parseThrottled,
  peakOf,
  pssOf,
} from '../../src/system/usage.ts';

test('all cores were busy without idle, iowait and steal, in ticks of 10 ms', () => {
  const stat = 'cpu  100 20 30 4000 500 6 7 80 900 1000\ncpu0 1 1 1 1 1 1 1 1 1 1\n';
  expect(parseSystem(stat)).toEqual({ busyNs: 163 * 1e7, stealNs: 80 * 1e7 });
});

describe('the time that a control group was held back', () => {
  test('is its throttled_usec in ns, and no other line', () => {
    const stat = 'usage_usec 9\nnr_throttled 3\nthrottled_usec 1250\nnr_bursts 0\nburst_usec 7\n';
    expect(parseThrottled(stat)).toBe(1_250_000);
  });

  test('is nothing where the group has no quota', () => {
    expect(parseThrottled('usage_usec 9\nuser_usec 5\n')).toBe(0);
  });
});

describe('the peak of memory', () => {
  const status = 'VmPeak:  99999 kB\nVmHWM:   45678 kB\nVmRSS:   30000 kB\n';

  test('is the VmHWM line in bytes, and no other', () => {
    expect(peakOf(status)).toBe(45_678 * 1024);
  });

  test('is refused where there is no such line', () => {
    expect(() => peakOf(status.replace('VmHWM', 'VmNot'))).toThrow('no VmHWM line');
  });
});

describe('the proportional set size', () => {
  const rollup = 'Rss:   90000 kB\nPss:   45678 kB\nPss_Dirty:  30000 kB\nSwapPss:   7 kB\n';

  test('is the Pss line in bytes, and no other', () => {
    expect(pssOf(rollup)).toBe(45_678 * 1024);
  });

  test('is refused where there is no such line', () => {
    expect(() => pssOf(rollup.replace('\nPss:', '\nNot:'))).toThrow('no Pss line');
  });
});

describe('CPU time', () => {
  test('of a whole process is in ticks, whatever its name', () => {
    const stat = `4711 (a) 9 (b) S 1 2 3 0 -1 4 5 6 7 8 120 34 5 2 20 0 11 0 987654 1 2`;
    expect(parseProcess(stat)).toEqual({
      ...{ cpuNs: 154e7, childrensNs: 7e7, parent: 1, started: '987654' },
    });
  });
});
