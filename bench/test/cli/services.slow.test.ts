import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { findProgram } from '../../src/system/on-path.ts';
import { ownPlace } from '../support/leftovers.ts';
import { eventually } from '../support/processes.ts';
import { missingHere, SERVED } from '../support/services.ts';
import { overhead, recordIn, rowOf, start, TINY } from './harness.ts';

const place = ownPlace();
const out = join(place.folder, 'record.json');

/** The arguments that choose these servers as single processes. */
function on(...targets: string[]): string[] {
  return ['--packages', SERVED, '--targets', targets.join(','), '--topology', 'single'];
}

/** The pids of what serves and is called so. */
function servicesRunning(program: string): number[] {
  const isIt = ({ command }: { command: string }) => command.includes(program);
  return place
    .processes()
    .filter(isIt)
    .map(({ pid }) => pid);
}

describe('where Redis is here', () => {
  beforeEach(({ skip }) => {
    const missing = missingHere('redis');
    skip(missing !== null, missing ?? '');
  });
  const LONG = ['-c', '10', '-d', '1200', '--slice', '0.1', '--launches', '2', '--warmup', '0.1'];

  test('what it uses is read and shown for those who need it, and only for them', async () => {
    const run = await overhead(
      place,
      'frameworks',
      ...on('redis-a', 'redis-b', 'plain'),
      ...TINY,
      '--out',
      out,
    );
    const { slices, services, failures, serviceFailures, plan } = recordIn(out);
    expect({ failures, serviceFailures }).toEqual({ failures: [], serviceFailures: [] });
    expect(services.map(({ name, launch }) => `${name} ${launch}`)).toEqual(['redis 0', 'redis 1']);
    for (const { idleNsPerS } of services) expect(idleNsPerS).toBeGreaterThan(0);
    expect(plan.services).toMatchObject([{ name: 'redis', targets: ['redis-a', 'redis-b'] }]);
    for (const { cell, measurement } of slices) {
      const used = Object.entries(measurement.services);
      expect(used.map(([name]) => name)).toEqual(cell.startsWith('redis-') ? ['redis'] : []);
      for (const [, { cpuNs, bytes }] of used) {
        expect(cpuNs).toBeGreaterThan(0);
        expect(bytes).toBeGreaterThan(1e6);
      }
    }
    expect(run.stdout).toMatch(/Redis\s+\d+\.\d+\.\d+\s+shares/);
    expect((await overhead(place, 'report', out)).stdout).toBe(run.stdout);
  });

  test('one that dies takes its servers out of that launch alone, and nothing measured is lost', {
    timeout: 120_000,
  }, async () => {
    const options = [...TINY, '-d', '2.4'];
    const harness = start(place, [
      'frameworks',
      ...on('redis-a', 'redis-b', 'plain'),
      ...options,
      '--out',
      out,
    ]);
    await harness.untilSays('a round is over', 2);
    for (const pid of servicesRunning('redis-server')) process.kill(pid, 'SIGKILL');
    const run = await harness.finished;
    expect(run.code).toBe(1);
    const { slices, failures, serviceFailures, state } = recordIn(out);
    expect({ failures, state }).toEqual({ failures: [], state: 'complete' });
    expect(serviceFailures).toMatchObject([
      {
        ...{ name: 'redis', launch: 0, when: 'slice', message: 'its process died' },
        servers: ['redis-a/single', 'redis-b/single'],
      },
    ]);
    const slicesIn = (launch: number, target: string) => {
      return slices.filter(
        (slice) => slice.launch === launch && slice.cell.startsWith(`${target}/`),
      ).length;
    };
    expect(slicesIn(0, 'redis-a')).toBeGreaterThan(0);
    expect(slicesIn(0, 'redis-a')).toBeLessThan(slicesIn(0, 'plain'));
    expect(slicesIn(1, 'redis-a')).toBe(slicesIn(1, 'plain'));
    expect(run.stderr).toContain(
      'Redis failed: its process died; out of this launch: redis-a/single',
    );
    expect(run.stdout).toContain('Redis failed at slice in launch 1: its process died.');
    expect(rowOf(run.stdout, 'Redis A')).toMatch(/\d/);
  });

  test.each([
    { name: 'Ctrl-C', signals: ['SIGINT'], code: 130 },
    { name: 'SIGTERM', signals: ['SIGTERM'], code: 143 },
  ] as const)('$name leaves nothing of it', async ({ signals, code }) => {
    const harness = start(place, ['frameworks', ...on('redis-a', 'plain'), ...LONG, '--out', out]);
    await harness.untilSays('a round is over');
    expect(servicesRunning('redis-server')).toHaveLength(1);
    for (const signal of signals) harness.signal(signal);
    expect((await harness.finished).code).toBe(code);
    expect(recordIn(out)).toMatchObject({ state: 'interrupted', serviceFailures: [] });
  });

  test('SIGKILL of the harness leaves nothing of it', async () => {
    const harness = start(place, ['frameworks', ...on('redis-a', 'plain'), ...LONG, '--out', out]);
    await harness.untilSays('a round is over');
    process.kill(harness.pid, 'SIGKILL');
    await harness.finished;
    await place.untilEmpty(10_000);
  });

  test('`verify` starts it too', async () => {
    const run = await overhead(place, 'verify', ...on('redis-a', 'plain'));
    expect(run).toMatchObject({ code: 0 });
  });
});

describe('where MariaDB is here', () => {
  beforeEach(({ skip }) => {
    const missing = missingHere('mariadb');
    skip(missing !== null, missing ?? '');
  });

  test('it is measured at a rate as in a closed loop', async () => {
    const rate = ['--rate', '100', '-d', '1.2', '--slice', '0.3', '--launches', '2'];
    const run = await overhead(
      place,
      'frameworks',
      ...on('mariadb-a'),
      ...rate,
      '--warmup',
      '0.1',
      '--out',
      out,
    );
    const { slices, failures, serviceFailures } = recordIn(out);
    expect({ failures, serviceFailures }).toEqual({ failures: [], serviceFailures: [] });
    for (const { measurement } of slices) {
      expect(measurement.services.mariadb?.cpuNs).toBeGreaterThan(0);
    }
    expect(run.stdout).toMatch(/MariaDB\s+\d+\.\d+\.\d+\s+shares/);
  });

  // From before the first program starts until after its data is made, which takes seconds.
  test.each([0, 150, 400, 900, 1800])(
    'SIGKILL %d ms into its start leaves nothing',
    async (delayMs) => {
      const environment = { XDG_CACHE_HOME: join(place.folder, `cache-${delayMs}`) };
      const harness = start(
        place,
        ['frameworks', ...on('mariadb-a'), ...TINY, '--out', out],
        environment,
      );
      await harness.untilSays('starting');
      await sleep(delayMs);
      process.kill(harness.pid, 'SIGKILL');
      await harness.finished;
      await place.untilEmpty(10_000);
      expect(await eventually(() => servicesRunning('mariadb').length === 0, 0)).toBe(true);
    },
  );
});

describe('where its program is not here', () => {
  /** A PATH with what the harness itself needs. */
  const bare = (): Record<string, string> => {
    const folder = join(place.folder, 'bare');
    mkdirSync(folder, { recursive: true });
    for (const program of ['sh', 'taskset', 'git']) {
      const path = findProgram(program);
      if (path !== null) symlinkSync(path, join(folder, program));
    }
    symlinkSync(process.execPath, join(folder, 'node'));
    return { PATH: folder };
  };

  test('a target that was named is refused, with the package that brings it', async () => {
    const environment = bare();
    const run = await start(place, ['frameworks', ...on('redis-a', 'plain'), ...TINY], environment)
      .finished;
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain('error: redis-a needs Redis, and redis-server is not here');
    expect(run.stderr).toContain('apt-get install redis-server');
  });

  test('others are measured without it, and a line says so', async () => {
    const environment = { PATH: join(place.folder, 'bare') };
    expect(dirname(environment.PATH)).toBe(place.folder);
    const args = [
      'frameworks',
      '--packages',
      SERVED,
      '--topology',
      'single',
      ...TINY,
      '--out',
      out,
    ];
    const run = await start(place, args, environment).finished;
    expect(run.stderr).toContain(
      'redis-a needs Redis, and redis-server is not here (Debian: apt-get install redis-server)',
    );
    const { targets, failures } = recordIn(out);
    expect({ targets: targets.map(({ name }) => name), failures }).toEqual({
      targets: ['plain'],
      failures: [],
    });
  });
});
