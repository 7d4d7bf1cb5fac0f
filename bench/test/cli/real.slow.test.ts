/** The real program on this machine, for what the fast tier leaves out. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onPath } from '../../src/system/on-path.ts';
import { CAN_SEE_SOCKETS } from '../../src/system/sockets.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { callersEnvironment } from '../support/registry.ts';
import { missingHere } from '../support/services.ts';
import { codesOf, harnessPlace, on, rowOf, SHORT } from './harness.ts';

/** Without the caller's cache a build in Go takes a minute. */
const CALLERS = callersEnvironment();
const place = harnessPlace();
const missingRedis = missingHere('redis');

// For all workloads of the repository: open and closed loads, services, clusters, and claims.
test('`bidder` measures real servers, with a service', async ({ skip }) => {
  skip(missingRedis !== null, missingRedis ?? '');
  const targets = on(['nest', 'nest-json'], 'single,2', join(FIXTURES, 'bidder'));
  const { record, stdout } = await place.measured(['bidder', ...targets, ...SHORT]);
  for (const label of ['Nest', 'Nest (JSON in Redis)']) expect(rowOf(stdout, label)).toMatch(/\d/);
  const { starts, services, plan, slices } = record;
  expect(plan.pilot).toMatchObject({ kind: 'singleRequest' });
  // Two alone, and one on two cores.
  expect(starts).toHaveLength(2 + 1);
  for (const { bytes } of starts) expect(bytes).toBeGreaterThan(1e6);
  expect(new Set(services.map(({ name }) => name))).toEqual(new Set(['redis']));
  for (const { measurement } of slices) {
    expect(measurement.peak?.server).toBeGreaterThan(measurement.memory.server);
  }
});

/** It takes Go, and a system that deals connections to processes on one port. */
const threads = onPath('go') ? ['net-http'] : [];
const processes = CAN_SEE_SOCKETS ? ['reuse-port'] : [];

test.skipIf(threads.length + processes.length === 0)(
  'servers that scale by threads, or by processes on one port, use as many as the topology says',
  async () => {
    const targets = on([...threads, ...processes], 'single,2');
    const run = await place.measured(['frameworks', ...targets, ...SHORT], CALLERS);
    const { record } = run;
    const counts = record.slices.map(({ cell, measurement }) => {
      const [target, topology] = cell.split('/');
      return `${target} as ${topology}: ${measurement.workersCpuNs.length}`;
    });
    const expected = [
      ...threads.flatMap((name) => [`${name} as single: 1`, `${name} as 2: 1`]),
      ...[...processes, 'canned'].flatMap((name) => [`${name} as single: 1`, `${name} as 2: 2`]),
    ];
    expect([...new Set(counts)].sort()).toEqual(expected.sort());
    const flags = codesOf(record, ({ target }) => processes.includes(target));
    expect(flags).not.toContain('TOPOLOGY');
    if (threads.length === 0) return;
    expect(run.stderr).toContain('Building net-http: go build');
    expect(run.stdout).toMatch(/^As .*\bprocesses of 2 threads\b/m);
  },
);
