import { describe, expect, test } from 'vitest';
import type { GivenOptions } from '../../src/request/run-options.ts';
import { SUITE_COMMANDS, suiteNamed } from '../../src/suites/index.ts';

/** The kind of run that a command makes of these options. */
function kindOf(command: string, given: GivenOptions): string | undefined {
  return SUITE_COMMANDS.find(({ name }) => name === command)?.kindOf(given).name;
}

describe('the kind of run', () => {
  const rate: GivenOptions = { rate: [{ kind: 'per second', perS: 5 }] };

  test('is that of the command, and rates where some are asked for', () => {
    expect(kindOf('frameworks', {})).toBe('frameworks');
    expect(kindOf('frameworks', rate)).toBe('rates');
    expect(kindOf('cluster', {})).toBe('cluster');
    expect(kindOf('cluster', rate)).toBe('rates');
    expect(kindOf('board', {})).toBe('board');
    expect(kindOf('ladder', {})).toBe('ladder');
    expect(kindOf('ladder', rate)).toBe('rates');
    expect(kindOf('image', {})).toBe('image');
    expect(kindOf('truth', {})).toBe('truth');
    expect(kindOf('truth', { where: true })).toBe('truth-where');
    expect(kindOf('where', {})).toBe('where');
  });

  test("is the manager's price where that is asked for", () => {
    expect(kindOf('cluster', { pm2Tax: true })).toBe('pm2-tax');
  });
});

test('every kind of run is found by the name that its record has', () => {
  const names = ['frameworks', 'rates', 'cluster', 'board', 'ladder', 'image', 'pm2-tax'];
  for (const name of [...names, 'truth', 'where', 'truth-where']) {
    expect(suiteNamed(name).name).toBe(name);
  }
  expect(() => suiteNamed('methods')).toThrow('no kind of run is named "methods"');
});
