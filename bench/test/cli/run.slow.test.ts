/** Servers that the command line names, real ones: what was learnt of each holds under load. */
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HOST } from '../../src/launch/server.ts';
import { freePort } from '../../src/system/free-port.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { eventually } from '../support/processes.ts';
import { codeFor, expectAnswers, overhead, recordIn, rowOf, SHORT, start } from './harness.ts';

const place = ownPlace();
const out = join(place.folder, 'record.json');

const odd = (...way: string[]) => ['node', `"${join(FIXTURES, 'odd.mjs')}"`, ...way].join(' ');
const SMALL = [...SHORT, '-p', '1', '--out', out];

test('servers that are odd in every way are measured beside a floor that answers as the first', async () => {
  const ways = ['echoes', 'all-addresses', 'only-ipv6', 'leaves', 'environment', 'counts', 'grows'];
  const sent = ['--path', '/x?y=1', '--header', 'x-tag: a', '--body', 'höher'];
  const told = ['--env', 'TOLD', '--env', 'UNTOLD=no'];
  const args = ['run', ...ways.map((way) => odd(way)), ...sent, ...told, ...SMALL];
  const names = ways.flatMap((way) => ['--name', way]);
  const { code, stderr } = await start(place, [...args, ...names], { TOLD: 'yes' }).finished;
  const record = recordIn(out);
  expect({ code, failures: record.failures }).toEqual({ code: codeFor(record), failures: [] });
  expectAnswers(record);
  expect(record.targets.map(({ label }) => label)).toEqual(['node:http', ...ways]);
  for (const says of [
    'echoes: learnt: 200, text/plain, 20 bytes, always the same',
    'environment: learnt: 200, text/plain, 6 bytes, always the same',
    'counts: learnt: 200, text/plain, 7 bytes, always as long; compared by that',
    'grows: learnt: 200, text/plain, of any length; compared by status',
  ]) {
    expect(stderr).toContain(says);
  }
  for (const { cell, measurement } of record.slices) {
    const { wrongBody, wrongStatus } = measurement.ledger;
    expect({ cell, wrongBody, wrongStatus }).toEqual({ cell, wrongBody: 0, wrongStatus: 0 });
  }
});

test('a folder with a bench block is asked what that declares, and the floor answers each', async () => {
  const args = ['run', join(FIXTURES, 'several-requests'), ...SMALL];
  const { code } = await overhead(place, ...args);
  const record = recordIn(out);
  expect({ code, failures: record.failures }).toEqual({ code: codeFor(record), failures: [] });
  expectAnswers(record);
  for (const { measurement } of record.slices) {
    const { window, requests, ledger } = measurement;
    expect([ledger.wrongStatus, ledger.wrongBody]).toEqual([0, 0]);
    expect(requests).toHaveLength(4);
    expect(requests.reduce((all, { ok }) => all + ok, 0)).toBe(window.ok);
  }
});

test('servers that insist on one port are measured in turns of whole launches', async () => {
  const port = String(await freePort(HOST));
  place.watch(Number(port));
  const own = odd('own-port', port);
  const { code, stdout } = await overhead(place, 'run', own, `${own} again`, ...SMALL);
  const record = recordIn(out);
  expect({ code, failures: record.failures }).toEqual({ code: codeFor(record), failures: [] });
  expectAnswers(record);
  expect(record.plan.groups).toHaveLength(2);
  // Where the line breaks depends on how long the path of the clone is.
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`insist on port ${port}`);
});

test('a server that is up is measured without what nobody can know', async () => {
  const server = createServer((_, response) => response.end('here'));
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const url = ['--url', `http://${HOST}:${port}`];
  const seen = ['--pid', String(process.pid), '--name', 'seen'];
  try {
    const args = [...url, ...seen, ...url, '--name', 'blind', '--no-floor', ...SMALL];
    const run = await overhead(place, 'run', ...args, '--launches', '2');
    const record = recordIn(out);
    expect(run.code).toBe(codeFor(record));
    expectAnswers(record);
    expect(record.plan.launches).toHaveLength(1);
    expect(rowOf(run.stdout, 'seen')).toMatch(/ [0-9,]+ ±\? +[0-9.,]+ ±\? /);
    expect(rowOf(run.stdout, 'blind')).toMatch(/ [0-9,]+ ±\? +– /);
    for (const { cell, measurement } of record.slices) {
      const hasCpu = measurement.cpu.server.cpuNs > 0;
      expect({ cell, hasCpu }).toEqual({ cell, hasCpu: cell.startsWith('1-seen/') });
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('a server that is silent is given up, and Ctrl-C ends the wait for it', async () => {
  const asked = join(place.folder, 'asked');
  const waitForAll = overhead(place, 'run', odd('silent'));
  const harness = start(place, ['run', odd('silent', asked)]);
  expect(await eventually(() => existsSync(asked), 30_000)).toBe(true);
  harness.signal('SIGINT');
  const ended = await harness.finished;
  expect(ended).toMatchObject({ code: 130, stdout: '' });
  expect(ended.stderr).not.toContain('defect');
  const { code, stdout, stderr } = await waitForAll;
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('it gave no answer within 10 s');
});
