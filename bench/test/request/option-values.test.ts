import { InvalidArgumentError } from 'commander';
import { describe, expect, test } from 'vitest';
import {
  changes,
  cpuLimits,
  names,
  type Rate,
  rates,
  runtimes,
  seconds,
  share,
  topologies,
  whole,
} from '../../src/request/option-values.ts';

/** How to write it, as a parser that refuses this text says. */
function refusal(parser: (text: string) => unknown, text: string): string {
  try {
    parser(text);
  } catch (error) {
    if (error instanceof InvalidArgumentError) return error.message;
    throw error;
  }
  throw new Error(`"${text}" was accepted`);
}

const perS = (...amounts: number[]): Rate[] =>
  amounts.map((each) => ({ kind: 'per second', perS: each }));

describe('a whole number', () => {
  test('is read within its limits, both of which it may be', () => {
    expect(['1', '007', '100'].map(whole(1, 100))).toEqual([1, 7, 100]);
  });

  test.each(['0', '101', '1.5', '-3', '+3', '1e2', '0x10', ' 5', '5 ', '', 'ten'])(
    'is not %j',
    (text) => {
      expect(refusal(whole(1, 100), text)).toBe('Give a whole number from 1 to 100.');
    },
  );
});

describe('seconds', () => {
  test('are read with fractions, from the least to a day', () => {
    expect(['0.1', '4.5', '86400'].map(seconds(0.1))).toEqual([0.1, 4.5, 86_400]);
    expect(seconds(0)('0')).toBe(0);
  });

  test.each(['0.09', '86400.1', '-1', 'Infinity', 'NaN', '30s', '', ' '])('are not %j', (text) => {
    expect(refusal(seconds(0.1), text)).toBe('Give a number of seconds from 0.1 to 86400.');
  });
});

describe('a percentage', () => {
  test.each([
    ['2%', 0.02],
    ['0.5%', 0.005],
    ['99.9%', 0.999],
  ])('%s is a share', (text, value) => {
    expect(share(text)).toBeCloseTo(value, 12);
  });

  test.each(['2', '0%', '0.0%', '100%', '-1%', '2 %', ' 2%', '%', '2%%', '.5%', '1e1%', ''])(
    'is not %j',
    (text) => {
      expect(refusal(share, text)).toBe('Give a percentage such as 2%.');
    },
  );
});

describe('names', () => {
  test('are separated by commas, each once, in the order given', () => {
    expect(names('b, a,b ,c')).toEqual(['b', 'a', 'c']);
  });

  test.each(['', ',', 'a,', ',a', 'a,,b', 'a, ,b'])('are not %j', (text) => {
    expect(refusal(names, text)).toBe('Give names separated by commas.');
  });
});

describe('topologies', () => {
  test('are every kind of process manager in every size, each once', () => {
    const text = 'single,max,2,fork,pmx:1,pmx:max,cluster:256,cluster:max,2,single';
    const all = ['single', 'max', 2, 'fork', 'pmx:1', 'pmx:max', 'cluster:256', 'cluster:max'];
    expect(topologies(text)).toEqual(all);
  });

  test('of the same size are the same however the number is written', () => {
    expect(topologies('2,02,cluster:2,cluster:02')).toEqual([2, 'cluster:2']);
  });

  test.each([
    ...['foo', '0', '257', '1.5', '-1', 'Max', 'maximum', 'single:2', 'fork:1', 'pmx', 'cluster'],
    ...['pmx:', 'cluster:0', 'cluster:257', 'pmx:x', 'pm2:2', 'cluster:2:2', 'pmx: 2', ':2'],
  ])('are not %j', (text) => {
    expect(refusal(topologies, `single,${text}`)).toBe(
      `"${text}" is no topology. Give "single", "fork", "max" or a number of processes from 1 to ` +
        '256; with "pmx:" or "cluster:" before it another kind of cluster.',
    );
  });

  test('are not nothing', () => {
    expect(refusal(topologies, 'single,')).toBe('Give names separated by commas.');
  });
});

describe('rates', () => {
  test('are requests a second, shares, or some of both, in the order given', () => {
    expect(rates('500')).toEqual(perS(500));
    expect(rates('0.5, 1000000')).toEqual(perS(0.5, 1_000_000));
    expect(rates('900,70%,100')).toEqual([
      ...perS(900),
      { kind: 'share', share: 0.7 },
      ...perS(100),
    ]);
  });

  test('of a range are several at equal distances, with both ends', () => {
    expect(rates('100..800')).toEqual(perS(100, 200, 300, 400, 500, 600, 700, 800));
    const shares = rates('10%..95%').map((rate) => (rate.kind === 'share' ? rate.share : 0));
    expect(shares).toHaveLength(8);
    expect(shares[0]).toBeCloseTo(0.1, 12);
    expect(shares[1]).toBeCloseTo(0.1 + 0.85 / 7, 12);
    expect(shares[7]).toBeCloseTo(0.95, 12);
  });

  test('within a range have three digits', () => {
    expect(rates('1000..2000')).toEqual(perS(1000, 1140, 1290, 1430, 1570, 1710, 1860, 2000));
  });

  test.each(['0', '-5', '1000001', 'Infinity', 'NaN', 'fast', '500/s', ' '])(
    'are not %j a second',
    (text) => {
      expect(refusal(rates, `100..${text}`)).toBe(
        'Give requests per second up to 1000000, or a share such as 70%.',
      );
    },
  );

  test.each(['', ',', '500,', '500,,600'])('are not %j', (text) => {
    expect(refusal(rates, text)).toBe('Give names separated by commas.');
  });

  test.each(['0%', '100%', '-5%', '%', '100%..200%'])('are no share such as %j', (text) => {
    expect(refusal(rates, text)).toBe('Give a percentage such as 2%.');
  });

  test.each(['95%..10%', '10%..10%', '800..100', '10%..500', '100..95%', '10%..50%..95%'])(
    'are not the range %s',
    (text) => {
      expect(refusal(rates, text)).toBe('Give a range such as 10%..95%, from less to more.');
    },
  );

  test.each(['100..', '..100', '..', '100..200,300', '10%..20%,50%'])('are not %j', (text) => {
    expect(refusal(rates, text)).toMatch(/^Give (requests per second|a percentage)/);
  });
});

describe('runtimes', () => {
  test('are read with their versions, those without the newest', () => {
    expect(runtimes('node@22,bun, deno@2.9,node@24.21.0')).toEqual([
      { kind: 'node', version: '22' },
      { kind: 'bun', version: null },
      { kind: 'deno', version: '2.9' },
      { kind: 'node', version: '24.21.0' },
    ]);
  });

  test('come after those that were given before', () => {
    expect(runtimes('bun', runtimes('node')).map(({ kind }) => kind)).toEqual(['node', 'bun']);
  });

  test.each(['nod', 'node@', 'node@lts', 'node@22.', 'node@1.2.3.4', 'Bun', '@22'])(
    'are not %j',
    (text) => {
      expect(refusal(runtimes, text)).toBe(
        `"${text}" is no runtime. Give node, bun, deno, each with a version where it is not to be the newest, as node@22 or bun@1.4.`,
      );
    },
  );
});

describe('CPU limits', () => {
  test('are numbers of cores, each once, in their order', () => {
    expect(cpuLimits('1.5')).toEqual([1.5]);
    expect(cpuLimits('0.25, 0.5,2,0.50,0.01')).toEqual([0.25, 0.5, 2, 0.01]);
  });

  test.each(['', '0', '-1', '0.001', '0.125', '300', 'half', '1,', '25%'])(
    'are not written as %j',
    (text) => {
      expect(refusal(cpuLimits, text)).toMatch(/^Give /);
    },
  );
});

describe('changes of dependencies', () => {
  test('are read with their targets, where those are named', () => {
    expect(changes('express@4,web-app:ws@7.1,@nestjs/core@11,a:@b/c@next')).toEqual([
      { target: null, dependency: 'express', version: '4' },
      { target: 'web-app', dependency: 'ws', version: '7.1' },
      { target: null, dependency: '@nestjs/core', version: '11' },
      { target: 'a', dependency: '@b/c', version: 'next' },
    ]);
  });

  test('come after those that were given before', () => {
    const all = changes('b@2', changes('a@1'));
    expect(all.map(({ dependency }) => dependency)).toEqual(['a', 'b']);
  });

  test.each(['express', 'express@', '@4', 'app:', 'app:express', 'a:b:c@1', '@nestjs@11'])(
    'are not %j',
    (text) => {
      expect(refusal(changes, text)).toBe(
        `"${text}" is no dependency in a version. Give them as express@4, or express-app:express@4.`,
      );
    },
  );
});
