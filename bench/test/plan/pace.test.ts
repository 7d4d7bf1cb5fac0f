import { describe, expect, test } from 'vitest';
import { type Learnt, learntLoad, underWay } from '../../src/plan/pace.ts';
import { makeOptions } from '../support/make-record.ts';

const learnt = (changes: Partial<Learnt> = {}): Learnt => ({
  ...{ kind: 'learnt', server: 'app', serviceNs: 2e5, cpuNs: 1e5, bytes: 20, pipelines: true },
  ...changes,
});

/** Nothing limits the servers. */
const FREE = { cpuLimits: [] };

describe('how much is under way', () => {
  test('is the cost load for servers that are quick', () => {
    expect(underWay(learnt(), FREE)).toEqual({ connections: 100, pipelining: 10 });
  });

  test('is not pipelined where a server does not answer so', () => {
    const one = { connections: 100, pipelining: 1 };
    expect(underWay(learnt({ pipelines: false }), FREE)).toEqual(one);
  });

  test('is what the dearest works off in a quarter of a second, and four at least', () => {
    expect(underWay(learnt({ cpuNs: 10e6 }), FREE)).toEqual({ connections: 25, pipelining: 1 });
    expect(underWay(learnt({ cpuNs: 60e6 }), FREE)).toEqual({ connections: 5, pipelining: 1 });
    expect(underWay(learnt({ cpuNs: 10e9 }), FREE)).toEqual({ connections: 4, pipelining: 1 });
  });

  test('is as much less as the lowest CPU limit is less than a core', () => {
    const dear = learnt({ cpuNs: 10e6 });
    expect(underWay(dear, { cpuLimits: [1.5] })).toEqual(underWay(dear, FREE));
    expect(underWay(dear, { cpuLimits: [0.5, 0.2] })).toEqual({ connections: 5, pipelining: 1 });
  });

  test('has no more than 64 MB of answers', () => {
    expect(underWay(learnt({ bytes: 5e6 }), FREE)).toEqual({ connections: 12, pipelining: 1 });
    expect(underWay(learnt({ bytes: 16e6 }), FREE)).toEqual({ connections: 4, pipelining: 1 });
    expect(underWay(learnt({ bytes: 0 }), FREE)).toEqual({ connections: 100, pipelining: 10 });
  });
});

describe('the load', () => {
  const options = {
    ...makeOptions(),
    ...{ connections: 5, pipelining: 1, durationS: 6, launches: 2, sliceS: 0.6 },
  };

  test('has all of a launch in one slice where servers are quick', () => {
    // Five rounds of 0.6 s.
    expect(learntLoad(learnt(), options, 'cpu')).toMatchObject({ sliceNs: 3e9, every: 5 });
    const unbroken = { ...options, contiguous: true };
    const whole = { method: 'contiguous', sliceNs: 6e9, every: 1 };
    expect(learntLoad(learnt(), unbroken, 'cpu')).toMatchObject(whole);
  });

  test('has slices of forty answers of the slowest, and time-outs that it can meet', () => {
    const slow = learntLoad(learnt({ serviceNs: 60e6, cpuNs: 60e6 }), options, 'cpu');
    expect(slow).toMatchObject({ sliceNs: 40 * 60e6, every: 1 });
    expect(slow.timeoutNs).toBe(10e9);
    const slower = learntLoad(learnt({ serviceNs: 5e9, cpuNs: 5e9 }), options, 'cpu');
    expect(slower.timeoutNs).toBe(5 * (5 * 5e9 + 5e9));
  });

  test('gives a limited server as much more time', () => {
    const dear = learnt({ serviceNs: 60e6, cpuNs: 60e6 });
    const limited = learntLoad(dear, { ...options, cpuLimits: [0.1] }, 'cpu');
    const slower = learntLoad(learnt({ serviceNs: 600e6, cpuNs: 600e6 }), options, 'cpu');
    expect(limited).toEqual(slower);
  });

  test('is interleaved in turns that what is under way fits into', () => {
    // 3 s in turns of 50 ms.
    expect(learntLoad(learnt(), options, 'cpu').blocks).toBe(60);
    const slow = learntLoad(learnt({ serviceNs: 20e6, cpuNs: 20e6 }), options, 'cpu');
    // 0.8 s; five requests take 0.1 s, and a turn is twice as long.
    expect(slow.blocks).toBe(4);
  });

  test('is there for requests/s where CPU time is not known of all', () => {
    expect(learntLoad(learnt(), options, 'throughput').headline).toBe('throughput');
  });
});
