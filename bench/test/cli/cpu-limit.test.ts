import { expect, test } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { command } from '../support/command.ts';
import { simulatedBackend } from '../support/simulated/backend.ts';
import { simulateRun } from '../support/simulated-run.ts';
import { expectAnswers, on } from './harness.ts';

const LIMITS = ['--cpu-limit', '0.25,0.5'];
const COST = ['-c', '100', '-p', '10', '-d', '0.8', '--slice', '0.4', '--launches', '2'];
const LIMITED = [...on(['ok'], 'single,cluster:2'), ...LIMITS, ...COST, '--warmup', '0.1'];

test('every target runs under every limit, and no process gets more than that', async () => {
  const { code, stdout, record } = await simulateRun(['frameworks', ...LIMITED], {
    server: () => ({ coldTimes: 1 }),
  });
  expect(code).toBe(0);
  const { targets, slices, failures } = record;
  expect(failures).toEqual([]);
  expectAnswers(record);
  expect(targets.map(({ name, cpuLimit }) => [name, cpuLimit])).toEqual([
    ['ok@cpu-0.25', 0.25],
    ['ok@cpu-0.5', 0.5],
  ]);
  for (const { measurement } of slices) {
    expect(measurement.throttling).toMatchObject({ periods: 4, throttledPeriods: 4 });
  }
  const [, limits = ''] = stdout.split(/^CPU limits, under the cost load.*$/m);
  expect(limits).toMatch(/^Fine +0\.25 +single +25,000\.00 /m);
  expect(limits).toMatch(/^Fine +0\.5 +cluster:2 +50,000\.00 /m);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'Each server was in a control group with a CPU limit of 0.25 cores or 0.5 cores.',
  );
});

test('where no control group may be made, that is refused before anything starts', async () => {
  const backend = {
    ...simulatedBackend(),
    requireLimits: () => {
      throw new UserError('no control group may be made', 'Run it as root.');
    },
  };
  const { code, stdout, stderr } = await command(['frameworks', ...LIMITED], { backend });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toBe('error: no control group may be made\nRun it as root.\n');
});
