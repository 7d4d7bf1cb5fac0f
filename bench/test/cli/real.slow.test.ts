/** The real program on this machine, for what the fast tier leaves out. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HOST } from '../../src/launch/server.ts';
import { freePort } from '../../src/system/free-port.ts';
import { onPath } from '../../src/system/on-path.ts';
import { CAN_SEE_SOCKETS } from '../../src/system/sockets.ts';
import { serveHere } from '../load/servers.ts';
import { FIXTURES, missingHere } from '../support/fixtures.ts';
import { callersEnvironment } from '../support/registry.ts';
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

const RUN = ['run', ...SHORT, '-p', '1'];
const odd = (...way: string[]) => ['node', `"${join(FIXTURES, 'odd.mjs')}"`, ...way].join(' ');

test('servers that are odd in every way are measured beside a floor that answers as the first', async () => {
  const port = String(await freePort(HOST));
  place.watch(Number(port));
  const ways = ['echoes', 'all-addresses', 'only-ipv6', 'leaves', 'environment', 'counts', 'grows'];
  // Two that insist on one port are measured in turns of whole launches.
  ways.push(`own-port ${port}`, `own-port ${port} again`);
  const sent = ['--path', '/x?y=1', '--header', 'x-tag: a', '--body', 'höher'];
  const passed = ['--env', 'TOLD', '--env', 'UNTOLD=no'];
  const names = ways.flatMap((way) => ['--name', way]);
  const words = [...RUN, ...ways.map((way) => odd(way)), ...sent, ...passed, ...names];
  const { record, stdout, stderr } = await place.measured(words, { TOLD: 'yes' });
  expect(record.targets.map(({ label }) => label)).toEqual(['node:http', ...ways]);
  for (const says of [
    'echoes answers: 200, text/plain, 20 bytes, always the same',
    'environment answers: 200, text/plain, 6 bytes, always the same',
    'counts answers: 200, text/plain, always 7 bytes; only the length is compared',
    'grows answers: 200, text/plain, of any length; only the status is compared',
  ]) {
    expect(stderr).toContain(says);
  }
  expect(record.plan.groups).toHaveLength(2);
  // Where the line breaks depends on how long the path of the clone is.
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`need port ${port}`);
  for (const { cell, measurement } of record.slices) {
    const { wrongBody, wrongStatus } = measurement.ledger;
    expect({ cell, wrongBody, wrongStatus }).toEqual({ cell, wrongBody: 0, wrongStatus: 0 });
  }
});

test('a folder with a bench block is asked what that declares, and the floor answers each', async () => {
  const { record } = await place.measured([...RUN, join(FIXTURES, 'several-requests')]);
  for (const { measurement } of record.slices) {
    const { window, requests, ledger } = measurement;
    expect([ledger.wrongStatus, ledger.wrongBody]).toEqual([0, 0]);
    expect(requests).toHaveLength(4);
    expect(requests.reduce((all, { ok }) => all + ok, 0)).toBe(window.ok);
  }
});

test('a server that is up is measured without what nobody can know', async () => {
  await using server = await serveHere((response) => response.end('here'));
  const url = ['--url', server.origin];
  const seen = [...url, '--pid', String(process.pid), '--name', 'seen'];
  const blind = [...url, '--name', 'blind', '--no-floor', '--launches', '2'];
  const { stdout } = await place.start([...RUN, ...seen, ...blind, '--out', place.out]).finished;
  const record = place.wholeRecord();
  expect(record.plan.launches).toHaveLength(1);
  expect(rowOf(stdout, 'seen')).toMatch(/ [0-9,]+ ±\? +[0-9.,]+ ±\? /);
  expect(rowOf(stdout, 'blind')).toMatch(/ [0-9,]+ ±\? +– /);
  for (const { cell, measurement } of record.slices) {
    const hasCpu = measurement.cpu.server.cpuNs > 0;
    expect({ cell, hasCpu }).toEqual({ cell, hasCpu: cell.startsWith('1-seen/') });
  }
});

test('a server that is silent is given up', async () => {
  const { code, stdout, stderr } = await place.start(['run', odd('silent')]).finished;
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('it gave no answer within 10 s');
});
