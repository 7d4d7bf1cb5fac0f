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

test('every target runs under every limit of memory, and with limits of CPU time under each pair', async () => {
  const memory = [...on(['ok'], 'single'), '--memory-limit', '64,512', ...COST, '--warmup', '0.1'];
  const alone = await simulateRun(['frameworks', ...memory]);
  const names = ({ record }: typeof alone) => record.targets.map(({ name }) => name);
  expect(names(alone)).toEqual(['ok@memory-64', 'ok@memory-512']);
  const [, limits = ''] = alone.stdout.split(/^Memory limits, under the cost load.*$/m);
  expect(limits).toMatch(/^Fine +64 +single /m);
  expect(alone.stdout.replaceAll(/\s+/g, ' ')).toContain(
    'Each server was in a control group with a memory limit of 64 MB or 512 MB.',
  );
  const both = await simulateRun(['frameworks', ...memory, '--cpu-limit', '0.5']);
  expect(names(both)).toEqual(['ok@cpu-0.5@memory-64', 'ok@cpu-0.5@memory-512']);
  expect(both.stdout).toMatch(/^CPU and memory limits, under the cost load/m);
});

test('`run` at a rate measures the number of processes that it takes, and its neighbours', async () => {
  const args = ['run', 'node a.js', '--no-floor', '--cpu-limit', '3', '--rate', '500'];
  const amounts = ['-d', '0.8', '--slice', '0.4', '--launches', '2', '--warmup', '0.1'];
  const world = { server: () => ({ coldTimes: 1, cpuNs: 3e6 }) };
  const ids = ({ record }: Awaited<ReturnType<typeof simulateRun>>) => {
    return record.plan.topologies.map(({ id }) => id);
  };
  // 500 requests/s of 3 ms keep 1.5 cores busy.
  expect(ids(await simulateRun([...args, ...amounts], world))).toEqual(['single', '2', '3']);
  const asked = [...args, ...amounts, '--topology', 'single'];
  expect(ids(await simulateRun(asked, world))).toEqual(['single']);
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
