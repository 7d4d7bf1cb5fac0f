/** Servers on another machine, with the load from this one. */
import { globSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pointOf } from '../../src/math/statistics.ts';
import { summarizeNetwork } from '../../src/summary/network.ts';
import { summarize } from '../../src/summary/summary.ts';
import { CLI, codeFor, expectAnswers, recordIn, SHORT, startCommand } from '../cli/harness.ts';
import { type Hosts, NO_HOSTS, startHosts } from '../support/hosts.ts';
import { ownPlace } from '../support/leftovers.ts';
import { eventually } from '../support/processes.ts';

const place = ownPlace();
const out = join(place.folder, 'record.json');
const [FAKETIME = ''] = globSync('/usr/lib/*/faketime/libfaketime.so.1');
const AHEAD = { LD_PRELOAD: FAKETIME, FAKETIME: '+5s', FAKETIME_DONT_FAKE_MONOTONIC: '1' };
/** A single load, at a rate. */
const AT_RATE = '--rate 100 --slice 0.5 --launches 1 --warmup 0.1 --no-one-machine'.split(' ');
const BRIEFLY = [...AT_RATE, '-d', '1'];
/** Only a fault ends it. */
const LONG = [...AT_RATE, '-d', '30'];

describe.skipIf(NO_HOSTS !== null)('a machine that has the servers', () => {
  let hosts: Hosts;
  beforeAll(async () => {
    /** Contains a `node` that claims to be an old one. */
    const old = join(place.folder, 'old');
    mkdirSync(old);
    writeFileSync(join(old, 'node'), '#!/bin/sh\necho v20.1.0\n', { mode: 0o755 });
    const names = ['box', 'ahead', 'other', 'locked', 'small', 'old', 'far', 'drifting'];
    hosts = await startHosts(place, names, {
      slow: { far: { delayMs: 20, jitterMs: 10 } },
      locked: ['locked'],
      small: ['small'],
      folders: [dirname(process.execPath)],
      environments: {
        ahead: FAKETIME === '' ? {} : AHEAD,
        // Its clocks are 1 % too fast, the monotonic one too.
        drifting: FAKETIME === '' ? {} : { LD_PRELOAD: FAKETIME, FAKETIME: '+5s x1.01' },
        old: { PATH: `${old}:/usr/bin:/bin` },
      },
    });
    place.keep();
  });
  afterAll(() => hosts[Symbol.asyncDispose]());

  const start = (args: string[], cwd?: string) => {
    const command = hosts.here([process.execPath, CLI, ...args]);
    return startCommand(place, command, hosts.environment, cwd);
  };
  /** Writes files into a folder here; returns the folder. */
  const folderOf = (name: string, files: Record<string, string>) => {
    const folder = join(place.folder, name);
    mkdirSync(folder, { recursive: true });
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
    return folder;
  };
  /** A server that answers with the value of this expression. */
  const serverOf = (answer: string) => {
    const listen = 'listen(process.env.PORT, process.env.HOST)';
    return `require('node:http').createServer((_, response) => response.end(${answer})).${listen};`;
  };
  /** The arguments for one target with a dependency, which needs these programs. */
  const targets = (needs: string[] = []) => {
    const dependency = folderOf('dependency', {
      'package.json': '{ "name": "greeting", "main": "main.js" }',
      'main.js': "module.exports = 'Hello World!';",
    });
    const bench = {
      ...{ suite: 'frameworks', label: 'App', start: ['node', 'main.js'], needs },
      request: { method: 'GET', path: '/' },
      expect: { status: 200, headers: {}, body: 'Hello World!' },
    };
    const manifest = { name: 'app', dependencies: { greeting: '1' }, bench };
    folderOf('targets/app', {
      'package.json': JSON.stringify(manifest),
      'main.js': serverOf("require('greeting')"),
    });
    const link = join(folderOf('targets/app/node_modules', {}), 'greeting');
    rmSync(link, { force: true });
    symlinkSync(dependency, link);
    const packages = join(place.folder, 'targets');
    return ['--packages', packages, '--targets', 'app', '--topology', 'single'];
  };
  const on = (host: string, ...args: string[]) => {
    return start(['frameworks', ...targets(), '--server-host', host, '--out', out, ...args]);
  };
  const leftOn = (name: string) => [...hosts.running(name), ...hosts.left(name)];
  const untilClean = async (name = 'box', timeoutMs = 5000) => {
    await eventually(() => leftOn(name).length === 0, timeoutMs);
    expect(leftOn(name)).toEqual([]);
    await place.untilEmpty(timeoutMs);
  };
  /** A long run on a host that has measured something. */
  const underWay = async (host = 'box', ...args: string[]) => {
    const run = on(host, ...LONG, ...args);
    await run.untilSays('a round is over', 2);
    return run;
  };
  const expectSlices = () => expect(recordIn(out).slices.length).toBeGreaterThan(0);

  test('starts and reads them; records and tables are here', async () => {
    const run = await on('box', ...SHORT, '--launches', '2', '-d', '0.8').finished;
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
    expect(run.stderr).toMatch(/The clock of box is \d/);
    await untilClean();
  });

  test.each([
    ['in quotes', ['node server.js']],
    ['after --', ['--', 'node', 'server.js']],
  ])('measures a command %s with its whole folder, and the floor', async (_, command) => {
    const folder = folderOf('own', {
      'server.js': serverOf("require('./text.js')"),
      'text.js': "module.exports = process.env.GREETING ?? 'none';",
    });
    const args = ['run', '--env', 'GREETING=Hi', '--server-host', 'box', '--no-one-machine'];
    const all = [...args, ...SHORT, '--topology', 'single', '--out', out];
    const run = await start([...all, ...command], folder).finished;
    expect(run.code, run.stderr).toBe(0);
    const record = recordIn(out);
    expect(record.targets.map(({ label }) => label)).toEqual(['node:http', 'node server.js']);
    expectAnswers(record);
    await untilClean();
  });

  test('a network that takes 20 ms bounds the throughput, and is most of the latency', async () => {
    const run = await on('far', ...SHORT, '-c', '10', '-p', '1', '--no-one-machine').finished;
    expect(run.code, run.stderr).toBe(0);
    const record = recordIn(out);
    expectAnswers(record);
    const [row] = summarizeNetwork(summarize(record).conditions);
    expect(row?.roundTrip.leastNs).toBeGreaterThanOrEqual(20e6);
    expect(row?.roundTrip.p95Ns).toBeGreaterThan(row?.roundTrip.leastNs ?? 0);
    // Ten requests in flight, each for 20 ms or longer.
    expect(row?.ceilingPerS).toBeLessThanOrEqual(500);
    expect(row?.share).toBeGreaterThan(0.5);
    expect(row && pointOf(row.throughput)).toBeLessThanOrEqual(600);
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

  /** What a pattern finds in the progress of a run on a host whose clock is wrong, as numbers. */
  const clockOf = async (host: string, pattern: RegExp, seconds = '1') => {
    const run = await on(host, ...BRIEFLY, '-d', seconds).finished;
    expect(run.code, run.stderr).toBe(0);
    expectAnswers(recordIn(out));
    await untilClean(host);
    const [, ...found] = pattern.exec(run.stderr) ?? [];
    return found.map((text) => Number(text.replace(',', '')));
  };
  test.runIf(FAKETIME !== '')('a clock that is wrong or drifts is reported', async () => {
    const ahead = /The clock of ahead is ([\d,.]+) ms ahead, ±([\d,.]+) ms/;
    const [aheadMs = 0, errorMs = 0] = await clockOf('ahead', ahead);
    expect(Math.abs(aheadMs - 5000)).toBeLessThanOrEqual(errorMs + 1);
    const [gains = 0] = await clockOf('drifting', /and gains ([\d,.]+) ms an hour/, '4');
    // 36 s an hour, as well as the round trips allow.
    expect(Math.abs(gains - 36_000)).toBeLessThan(9000);
  });

  test('two runs at once are both measured, and flagged for each other', async () => {
    const other = join(place.folder, 'other.json');
    const first = await underWay();
    const second = await on('box', ...BRIEFLY, '--out', other).finished;
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
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGKILL', undefined],
  ] as const)('a command that gets %s leaves nothing on either side', async (signal, code) => {
    const run = await underWay();
    run.signal(signal);
    expect((await run.finished).code).toBe(code);
    expectSlices();
    await untilClean('box', 15_000);
  });

  test.each([false, true])('a cut cable ends both sides; measuring: %s', async (isMeasuring) => {
    const run = isMeasuring ? await underWay() : on('box', ...LONG);
    await eventually(() => hosts.running('box').length > 0, 30_000);
    hosts.plug('box', false);
    const { code, stderr } = await run.finished.finally(() => hosts.plug('box', true));
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/the connection to box is gone|10\.99\.0\.2 not responding/);
    if (isMeasuring) expectSlices();
    await untilClean('box', 20_000);
  });

  test.each([
    ['nowhere', /Could not resolve hostname nowhere/],
    ['other', /REMOTE HOST IDENTIFICATION HAS CHANGED/],
    ['locked', /locked: .*Permission denied/s],
    ['small', /ENOSPC: no space left on device/],
    ['old', /old: its Node is v20\.1\.0\. Install Node 22\.18 or later/],
  ])('one that is %s is refused at once, with the reason', async (name, reason) => {
    if (name === 'other') hosts.changeKey(name);
    const run = await on(name, ...SHORT).finished;
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toMatch(reason);
    expect(hosts.running(name === 'nowhere' ? 'box' : name)).toEqual([]);
  });

  test('missing programs of a target are named before anything is copied', async () => {
    const args = targets(['sh', 'no-such-program', '/usr/{,local/}sbin/no-such*']);
    const run = await start(['frameworks', ...args, '--server-host', 'box', ...SHORT]).finished;
    expect(run).toMatchObject({ code: 2, stdout: '' });
    const reason = 'not on box: app needs no-such-program and /usr/{,local/}sbin/no-such*';
    expect(run.stderr).toContain(reason);
    expect(run.stderr).not.toContain('Measuring on');
    expect(leftOn('box')).toEqual([]);
  });

  test('a killed harness or machine is reported, with the measurements so far', async () => {
    const killed = async (kill: () => unknown) => {
      const run = await underWay();
      kill();
      const { code, stderr } = await run.finished;
      expect(code).toBe(1);
      expectSlices();
      return stderr;
    };
    const harness = await killed(() => hosts.on('box', "pkill -9 -f '^node --[i]nput-type'"));
    expect(harness).toContain('what runs on box ended with code 137');
    await untilClean('box', 15_000);
    const machine = await killed(() => hosts.kill('box'));
    expect(machine).toContain('the connection to box is gone');
    await place.untilEmpty(10_000);
  });
});
