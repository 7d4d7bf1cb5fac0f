/** Servers on another machine, with the load from this one. */
import { chmodSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { THROUGHPUT } from '../../src/figures/figures.ts';
import { pointOf } from '../../src/math/statistics.ts';
import { summarizeNetwork } from '../../src/summary/network.ts';
import { estimateOf, summarize } from '../../src/summary/summary.ts';
import { codeFor, expectAnswers, on, recordIn, SHORT } from '../cli/harness.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { type Hosts, NO_HOSTS, startHosts } from '../support/hosts.ts';
import { ownPlace } from '../support/leftovers.ts';
import { eventually } from '../support/processes.ts';

const place = ownPlace();
const out = join(place.folder, 'record.json');
const other = join(place.folder, 'other.json');
const [FAKETIME = ''] = globSync('/usr/lib/*/faketime/libfaketime.so.1');
/** What is said of the clock of `box`, which is ahead where that can be. */
const [AHEAD_MS, CLOCK] =
  FAKETIME === ''
    ? [0, /The clock of box is ([\d,.]+) ms \w+, ±([\d,.]+) ms/]
    : [5000, /The clock of box is ([\d,.]+) ms ahead, ±([\d,.]+) ms/];
const AHEAD = { LD_PRELOAD: FAKETIME, FAKETIME: '+5s', FAKETIME_DONT_FAKE_MONOTONIC: '1' };
/** A single load, at a rate. */
const AT_RATE = '--rate 100 --slice 0.5 --launches 1 --warmup 0.1 --no-one-machine'.split(' ');
const BRIEFLY = [...AT_RATE, '-d', '1'];
/** Only a fault ends it. */
const LONG = [...AT_RATE, '-d', '30'];

describe.skipIf(NO_HOSTS !== null)('a machine that has the servers', () => {
  let hosts: Hosts;
  beforeAll(async () => {
    /** Claims to be an old one. */
    const old = place.write('old/node', '#!/bin/sh\necho v20.1.0\n');
    chmodSync(old, 0o755);
    hosts = await startHosts(place, ['box', 'other', 'small', 'old', 'far', 'drifting'], {
      slow: { far: { delayMs: 20, jitterMs: 10 } },
      small: ['small'],
      folders: [dirname(process.execPath)],
      environments: {
        box: FAKETIME === '' ? {} : AHEAD,
        // Its clocks are 1 % too fast, the monotonic one too.
        drifting: FAKETIME === '' ? {} : { LD_PRELOAD: FAKETIME, FAKETIME: '+5s x1.01' },
        old: { PATH: `${dirname(old)}:/usr/bin:/bin` },
      },
    });
    place.keep();
  });
  afterAll(() => hosts[Symbol.asyncDispose]());

  /** Writes files into a folder here; returns the folder. */
  const folderOf = (name: string, files: Record<string, string>) => {
    for (const [file, text] of Object.entries(files)) place.write(`${name}/${file}`, text);
    return join(place.folder, name);
  };
  const startOn = (host: string, ...args: string[]) => {
    const target = on(['several-requests'], 'single');
    return hosts.start(['frameworks', ...target, '--server-host', host, '--out', out, ...args]);
  };
  const untilClean = async (name = 'box', timeoutMs = 5000) => {
    await hosts.untilClean([name], timeoutMs);
    await place.untilEmpty(timeoutMs);
  };
  /** A long run on a host that has measured something. */
  const underWay = async (host = 'box', ...args: string[]) => {
    const run = startOn(host, ...LONG, ...args);
    await run.untilSays('a round is over', 2);
    return run;
  };
  const expectSlices = () => expect(recordIn(out).slices.length).toBeGreaterThan(0);
  /** The numbers that a pattern finds in the progress of a run. */
  const numbersIn = (progress: string, pattern: RegExp) => {
    const [, ...found] = pattern.exec(progress) ?? [];
    return found.map((text) => Number(text.replaceAll(',', '')));
  };

  test('starts and reads them; records and tables are here', async () => {
    const run = await startOn('box', ...SHORT).finished;
    expect(run.code, run.stderr).toBe(0);
    const [two, one] = [recordIn(out), recordIn(join(place.folder, 'record-one-machine.json'))];
    for (const record of [two, one]) {
      expect(record).toMatchObject({ state: 'complete', failures: [] });
      expectAnswers(record);
      expect(JSON.stringify(record)).not.toContain('box');
    }
    for (const { measurement } of two.slices) {
      expect(measurement.roundTrip?.medianNs).toBeGreaterThan(1000);
      expect(measurement.cpu.server.cpuNs).toBeGreaterThan(0);
    }
    expect(one.slices.every(({ measurement }) => measurement.roundTrip === null)).toBe(true);
    for (const text of ['Network', 'One machine beside two']) expect(run.stdout).toContain(text);
    const [aheadMs = 0, errorMs = 0] = numbersIn(run.stderr, CLOCK);
    expect(Math.abs(aheadMs - AHEAD_MS)).toBeLessThanOrEqual(errorMs + 1);
    await untilClean();
  });

  test.each([
    ['in quotes', ['node server.js']],
    ['after --', ['--', 'node', 'server.js']],
  ])('measures a command %s with its whole folder, and the floor', async (_, command) => {
    const folder = folderOf('own', {
      'server.js': `require('node:http').createServer((_, response) => {
        response.end(require('./text.js'));
      }).listen(process.env.PORT, process.env.HOST);`,
      'text.js': "module.exports = process.env.GREETING ?? 'none';",
    });
    const args = ['run', '--env', 'GREETING=Hi', '--server-host', 'box'];
    const all = [...args, ...BRIEFLY, '--topology', 'single', '--out', out];
    const run = await hosts.start([...all, ...command], folder).finished;
    expect(run.code, run.stderr).toBe(0);
    const record = recordIn(out);
    expect(record.targets.map(({ label }) => label)).toEqual(['node:http', 'node server.js']);
    expectAnswers(record);
    await untilClean();
  });

  test('a network that takes 20 ms bounds the throughput, and is most of the latency', async () => {
    const run = await startOn('far', ...SHORT, '-c', '10', '-p', '1', '--no-one-machine').finished;
    expect(run.code, run.stderr).toBe(0);
    const record = recordIn(out);
    expectAnswers(record);
    const [row] = summarizeNetwork(summarize(record));
    expect(row?.roundTrip.leastNs).toBeGreaterThanOrEqual(20e6);
    expect(row?.roundTrip.p95Ns).toBeGreaterThan(row?.roundTrip.leastNs ?? 0);
    // Ten requests in flight, each for 20 ms or longer.
    expect(row?.ceilingPerS).toBeLessThanOrEqual(500);
    expect(row?.share).toBeGreaterThan(0.5);
    expect(row && pointOf(estimateOf(row, THROUGHPUT))).toBeLessThanOrEqual(600);
    await untilClean('far');
  });

  test('a network that stalls for less than the lease ends nothing', async () => {
    const run = await underWay('far', '--launches', '2');
    hosts.hold('far', true);
    await setTimeout(4000);
    hosts.hold('far', false);
    await run.untilSays('a round is over', 6);
    run.signal('SIGINT');
    expect((await run.finished).code).toBe(130);
    expect(recordIn(out).failures).toEqual([]);
    await untilClean('far', 15_000);
  });

  test.runIf(FAKETIME !== '')('a clock that drifts is reported', async () => {
    const run = await startOn('drifting', ...BRIEFLY, '-d', '4').finished;
    expect(run.code, run.stderr).toBe(0);
    expectAnswers(recordIn(out));
    const [gains = 0] = numbersIn(run.stderr, /and gains ([\d,.]+) ms an hour/);
    // 36 s an hour, as well as the round trips allow.
    expect(Math.abs(gains - 36_000)).toBeLessThan(9000);
    await untilClean('drifting');
  });

  test('two runs at once are both measured, and flagged for each other', async () => {
    const first = await underWay();
    const second = await startOn('box', ...BRIEFLY, '--out', other).finished;
    expect(second.code, second.stderr).toBe(codeFor(recordIn(other)));
    first.signal('SIGINT');
    expect((await first.finished).code).toBe(130);
    for (const record of [out, other].map(recordIn)) {
      expect(record).toMatchObject({ hadOtherRuns: true, failures: [] });
    }
    expectSlices();
    expectAnswers(recordIn(other));
    await untilClean();
  });

  test.each([
    ['SIGTERM', 143],
    ['SIGKILL', undefined],
  ] as const)('a command that gets %s leaves nothing on either side', async (signal, code) => {
    const run = await underWay();
    run.signal(signal);
    expect((await run.finished).code).toBe(code);
    expectSlices();
    await untilClean('box', 15_000);
  });

  test('a cut cable ends both sides, also of a run that has measured nothing', async () => {
    const measuring = await underWay();
    const starting = startOn('far', ...LONG, '--out', other);
    await eventually(() => hosts.running('far').length > 0, 30_000);
    for (const name of ['box', 'far']) hosts.plug(name, false);
    const ended = await Promise.all([measuring.finished, starting.finished]).finally(() => {
      for (const name of ['box', 'far']) hosts.plug(name, true);
    });
    for (const { code, stderr } of ended) {
      expect(code).not.toBe(0);
      expect(stderr).toMatch(/the connection to \w+ is gone|10\.99\.0\.\d not responding/);
    }
    expectSlices();
    for (const name of ['box', 'far']) await untilClean(name, 20_000);
  });

  test.each([
    ['other', /REMOTE HOST IDENTIFICATION HAS CHANGED/],
    ['small', /ENOSPC: no space left on device/],
    ['old', /old: its Node is v20\.1\.0\. Install Node 22\.18 or later/],
  ])('one that is %s is refused at once, with the reason', async (name, reason) => {
    if (name === 'other') hosts.changeKey(name);
    const run = await startOn(name, ...SHORT).finished;
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toMatch(reason);
    expect(hosts.running(name)).toEqual([]);
  });

  test('missing programs of a target are named before anything is copied', async () => {
    const { bench, ...rest } = JSON.parse(readFileSync(join(FIXTURES, 'ok/package.json'), 'utf8'));
    const needs = ['sh', 'no-such-program', '/usr/{,local/}sbin/no-such*'];
    const manifest = { ...rest, bench: { ...bench, needs } };
    folderOf('targets/ok', { 'package.json': JSON.stringify(manifest), 'main.mjs': '' });
    const args = ['--packages', join(place.folder, 'targets'), '--targets', 'ok'];
    const run = await hosts.start(['frameworks', ...args, '--server-host', 'box', ...SHORT])
      .finished;
    expect(run).toMatchObject({ code: 2, stdout: '' });
    const reason = 'not on box: ok needs no-such-program and /usr/{,local/}sbin/no-such*';
    expect(run.stderr).toContain(reason);
    expect(run.stderr).not.toContain('Measuring on');
    await untilClean();
  });

  test('a killed harness is reported, with the measurements so far', async () => {
    const run = await underWay();
    hosts.on('box', "pkill -9 -f '^node --[i]nput-type'");
    const { code, stderr } = await run.finished;
    expect(code).toBe(1);
    expect(stderr).toContain('what runs on box ended with code 137');
    expectSlices();
    await untilClean('box', 15_000);
  });
});
