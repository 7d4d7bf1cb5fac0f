import { CommanderError } from 'commander';
import { describe, expect, test } from 'vitest';
import { runCommands } from '../../../src/commands/index.ts';
import { parseArguments } from '../../../src/request/options.ts';

function parse(...argv: string[]) {
  return parseArguments(['methods', ...argv], {
    packages: '/packages',
    commands: runCommands([]),
    drivers: ['pacer', 'k6'],
    drawSeed: () => 42,
    write: () => {},
    writeError: () => {},
  });
}

describe('`methods`', () => {
  test('is a run of its own kind, whose amounts follow from the wall time', () => {
    expect(parse()).toMatchObject({
      ...{ command: 'run', kind: { name: 'methods' }, given: {} },
      options: { seed: 42, out: null, json: false },
    });
  });

  test('takes what is given', () => {
    const given = ['--repeats', '3', '--seconds', '20.5', '--seed', '7', '-o', 'x.json', '--json'];
    expect(parse(...given)).toMatchObject({
      given: { repeats: 3, seconds: 20.5 },
      options: { seed: 7, out: 'x.json', json: true },
    });
  });

  test('takes --quick, beside which what is given counts', () => {
    expect(parse('--quick')).toMatchObject({ given: { quick: true } });
    expect(parse('--quick', '--repeats', '4')).toMatchObject({
      given: { quick: true, repeats: 4 },
    });
  });

  test.each([
    ['--repeats', '0'],
    ['--repeats', '1.5'],
    ['--seconds', '7'],
    ['--seconds', 'long'],
    ['--topology', 'single'],
    ['-d', '10'],
  ])('refuses %s %s', (...argv) => {
    expect(() => parse(...argv)).toThrow(CommanderError);
  });
});
