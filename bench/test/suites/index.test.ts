import { describe, expect, test } from 'vitest';
import type { GivenOptions } from '../../src/request/run-options.ts';
import { SUITE_COMMANDS, suiteOf, workloadCommand } from '../../src/suites/index.ts';
import { ownWorkloads } from '../../src/workload/read.ts';

/** The kind of run that a command makes of these options. */
function kindOf(command: string, given: GivenOptions): string | undefined {
  const commands = [...SUITE_COMMANDS, ...ownWorkloads().map(workloadCommand)];
  return commands.find(({ name }) => name === command)?.kindOf(given).name;
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
  const names = ['frameworks', 'rates', 'cluster', 'pm2-tax'];
  for (const name of [...names, 'truth', 'where', 'truth-where']) {
    expect(suiteOf({ suite: name, workload: null }).name).toBe(name);
  }
  const methods = { suite: 'methods', workload: null };
  expect(() => suiteOf(methods)).toThrow('no kind of run is named "methods"');
});
