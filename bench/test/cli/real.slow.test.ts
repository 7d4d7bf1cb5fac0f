/** The real program on this machine, for what the fast tier leaves out. */
import { cpSync, readdirSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../src/base/places.ts';
import { onPath } from '../../src/system/on-path.ts';
import { CAN_SEE_SOCKETS } from '../../src/system/sockets.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { missingHere } from '../support/services.ts';
import {
  codeFor,
  codesOf,
  expectAnswers,
  measured,
  on,
  recordIn,
  rowOf,
  SHORT,
  start,
  startCommand,
} from './harness.ts';

const place = ownPlace();
const out = join(place.folder, 'record.json');
const missingRedis = missingHere('redis');

// For all workloads of the repository: open and closed loads, services, clusters, and claims.
test('`bidder` measures real servers, with a service', async ({ skip }) => {
  skip(missingRedis !== null, missingRedis ?? '');
  const targets = ['--packages', join(FIXTURES, 'bidder'), '--targets', 'nest,nest-json'];
  const args = [...targets, '--topology', 'single,2', ...SHORT];
  const { record, stdout } = await measured(place, 'bidder', ...args);
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

/** Another checkout, with what a run takes; its `results` are its own. */
function makeCheckout(): string {
  const checkout = join(place.folder, 'checkout');
  const [from, to] = [join(ROOT, 'bench'), join(checkout, 'bench')];
  const filter = (source: string) => !['node_modules', 'test'].includes(basename(source));
  cpSync(from, to, { recursive: true, filter });
  symlinkSync(join(from, 'node_modules'), join(to, 'node_modules'));
  return checkout;
}

test('a record is saved in the results of the checkout, where `open` finds its page', async () => {
  const results = join(makeCheckout(), 'results');
  /** From elsewhere: the checkout counts, not the working folder. */
  const inCheckout = (...args: string[]) => {
    const words = [process.execPath, 'checkout/bench/src/cli.ts', ...args] as const;
    return startCommand(place, [...words], {}, place.folder).finished;
  };
  const args = ['--contiguous', ...on(['ok'], 'single'), '-d', '0.5', '-c', '10'];
  const { code, stderr } = await inCheckout('frameworks', ...args);
  const [page = '', saved = '', ...others] = readdirSync(results).toSorted();
  expect(others).toEqual([]);
  expect(page).toBe(saved.replace(/json$/, 'html'));
  expect(stderr).toContain(`Saved as checkout/results/${saved}`);
  const record = recordIn(join(results, saved));
  expect(record).toMatchObject({ state: 'complete', slices: [{ cell: 'ok/single/custom' }] });
  expect(record.slices[0]?.measurement.windowNs).toBeGreaterThanOrEqual(0.499e9);
  expect(code).toBe(codeFor(record));
  // Its name is when it began, in UTC.
  const began = record.startedAt.slice(0, 19).replaceAll(':', '-');
  expect(saved).toBe(`${began}-frameworks.json`);
  const opened = `There is no browser here to open checkout/results/${page}\n`;
  expect(await inCheckout('open')).toEqual({ code: 0, stdout: opened, stderr: '' });
});

/** Go's cache is in the home folder, and a test has another one; without it a build takes a minute. */
const GO_CACHE = { GOCACHE: join(homedir(), '.cache', 'go-build'), GOTOOLCHAIN: 'local' };
/** It takes Go, and a system that deals connections to processes on one port. */
const threads = onPath('go') ? ['net-http'] : [];
const processes = CAN_SEE_SOCKETS ? ['reuse-port'] : [];

test.skipIf(threads.length + processes.length === 0)(
  'servers that scale by threads, or by processes on one port, use as many as the topology says',
  async () => {
    const targets = on([...threads, ...processes], 'single,2');
    const args = ['frameworks', ...targets, ...SHORT, '--out', out];
    const run = await start(place, args, GO_CACHE).finished;
    const record = recordIn(out);
    expect({ code: run.code, failures: record.failures }).toEqual({
      ...{ code: codeFor(record), failures: [] },
    });
    expectAnswers(record);
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
