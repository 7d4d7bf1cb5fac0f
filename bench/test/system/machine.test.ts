import { expect, test } from 'vitest';
import { simulate } from '../support/command.ts';
import { FIXTURES } from '../support/fixtures.ts';

test('with a parallelism of 1, `max` starts one process under every manager', async () => {
  const args = ['--packages', FIXTURES, '--targets', 'ok', '--topology', 'max,pmx:max,cluster:max'];
  const { code, stdout } = await simulate(['verify', ...args], { machine: { parallelism: 1 } });
  expect(code).toBe(0);
  const rows = stdout.split('\n').filter((line) => line.startsWith('Fine'));
  expect(rows).toHaveLength(3);
  for (const row of rows) expect(row).toMatch(/ ok +1$/);
});
