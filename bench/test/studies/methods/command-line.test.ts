import { CommanderError } from 'commander';
import { describe, expect, test } from 'vitest';
import { parseArguments } from '../../../src/request/options.ts';

function parse(...argv: string[]) {
  return parseArguments(['methods', ...argv], {
    packages: '/packages',
    drivers: ['pacer', 'k6'],
    drawSeed: () => 42,
    write: () => {},
    writeError: () => {},
  });
}

describe('`methods`', () => {
  test('repeats each method 6 times, for 75 s each', () => {
    expect(parse()).toMatchObject({
      command: 'methods',
      options: { repeats: 6, wallS: 75, seed: 42, out: null, json: false },
    });
  });

  test('takes what is given', () => {
    const given = ['--repeats', '3', '--seconds', '20.5', '--seed', '7', '-o', 'x.json', '--json'];
    const options = { repeats: 3, wallS: 20.5, seed: 7, out: 'x.json', json: true };
    expect(parse(...given)).toMatchObject({ options });
  });

  test.each([
    ['--repeats', '0'],
    ['--repeats', '1.5'],
    ['--seconds', '7'],
    ['--seconds', 'long'],
  ])('refuses %s %s', (...argv) => {
    expect(() => parse(...argv)).toThrow(CommanderError);
  });
});
