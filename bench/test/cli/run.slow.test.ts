/** Servers that the command line names, real ones: what was found out of each holds under load. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HOST } from '../../src/launch/server.ts';
import { freePort } from '../../src/system/free-port.ts';
import { serveHere } from '../load/servers.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { codeFor, expectAnswers, harnessPlace, recordIn, rowOf, SHORT } from './harness.ts';

const place = harnessPlace();

const odd = (...way: string[]) => ['node', `"${join(FIXTURES, 'odd.mjs')}"`, ...way].join(' ');

/** A run of these servers in which none fails. */
async function run(words: string[], environment: Record<string, string> = {}) {
  const args = ['run', ...SHORT, '-p', '1', '--out', place.out, ...words];
  const { code, stdout, stderr } = await place.start(args, environment).finished;
  const record = recordIn(place.out);
  expect({ code, failures: record.failures }).toEqual({ code: codeFor(record), failures: [] });
  expectAnswers(record);
  return { record, stdout, stderr };
}

test('servers that are odd in every way are measured beside a floor that answers as the first', async () => {
  const port = String(await freePort(HOST));
  place.watch(Number(port));
  const ways = ['echoes', 'all-addresses', 'only-ipv6', 'leaves', 'environment', 'counts', 'grows'];
  // Two that insist on one port are measured in turns of whole launches.
  ways.push(`own-port ${port}`, `own-port ${port} again`);
  const sent = ['--path', '/x?y=1', '--header', 'x-tag: a', '--body', 'höher'];
  const passed = ['--env', 'TOLD', '--env', 'UNTOLD=no'];
  const names = ways.flatMap((way) => ['--name', way]);
  const words = [...ways.map((way) => odd(way)), ...sent, ...passed, ...names];
  const { record, stdout, stderr } = await run(words, { TOLD: 'yes' });
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
  const { record } = await run([join(FIXTURES, 'several-requests')]);
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
  const { record, stdout } = await run([...seen, ...blind]);
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
