/** Servers on another machine, and the load from this one. */
import { globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
/** At a rate, which is one load. */
const BRIEFLY = '--rate 100 -d 1 --slice 0.5 --launches 1 --warmup 0.1 --no-one-machine'.split(' ');
/** At a rate, in so many launches that only a fault ends it. */
const LONG = '--rate 100 -d 30 --slice 0.5 --launches 1 --warmup 0.1 --no-one-machine'.split(' ');

describe.skipIf(NO_HOSTS !== null)('a machine that has the servers', () => {
  let hosts: Hosts;
  beforeAll(async () => {
    hosts = await startHosts(
      place,
      ['box', 'ahead', 'other', 'locked', 'small', 'old', 'far', 'drifting'],
      {
        slow: { far: { delayMs: 20, jitterMs: 10 } },
        locked: ['locked'],
        small: ['small'],
        folders: [dirname(process.execPath)],
        environments: {
          ahead: FAKETIME === '' ? {} : AHEAD,
          // Its clocks go faster by 1 %, the monotonic one too.
          drifting: FAKETIME === '' ? {} : { LD_PRELOAD: FAKETIME, FAKETIME: '+5s x1.01' },
          old: { PATH: `${oldNode()}:/usr/bin:/bin` },
        },
      },
    );
    place.keep();
  });
  afterAll(() => hosts[Symbol.asyncDispose]());

  /** A folder with a `node` that says that it is an old one. */
  function oldNode(): string {
    const folder = join(place.folder, 'old');
    mkdirSync(folder);
    writeFileSync(join(folder, 'node'), '#!/bin/sh\necho v20.1.0\n', { mode: 0o755 });
    return folder;
  }

  const start = (args: string[], cwd?: string) => {
    const command = hosts.here([process.execPath, CLI, ...args]);
    return startCommand(place, command, hosts.environment, cwd);
  };
  /** A folder of one target that needs nothing but itself and a dependency. */
  const targets = () => {
    const folder = join(place.folder, 'targets/app');
    const dependency = join(place.folder, 'dependency');
    mkdirSync(join(folder, 'node_modules'), { recursive: true });
    mkdirSync(dependency, { recursive: true });
    writeFileSync(join(dependency, 'package.json'), '{ "name": "greeting", "main": "main.js" }');
    writeFileSync(join(dependency, 'main.js'), "module.exports = 'Hello World!';");
    rmSync(join(folder, 'node_modules/greeting'), { force: true });
    symlinkSync(dependency, join(folder, 'node_modules/greeting'));
    const bench = {
      ...{ suite: 'frameworks', label: 'App', start: ['node', 'main.js'] },
      request: { method: 'GET', path: '/' },
      expect: { status: 200, headers: {}, body: 'Hello World!' },
    };
    const manifest = { name: 'app', dependencies: { greeting: '1' }, bench };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    const server =
      "require('node:http').createServer((_, response) => response.end(require('greeting')))" +
      '.listen(process.env.PORT, process.env.HOST);';
    writeFileSync(join(folder, 'main.js'), server);
    return [
      '--packages',
      join(place.folder, 'targets'),
      '--targets',
      'app',
      '--topology',
      'single',
    ];
  };
  const on = (host: string, ...args: string[]) => {
    return start(['frameworks', ...targets(), '--server-host', host, '--out', out, ...args]);
  };
  const leftOn = (name: string) => ({ running: hosts.running(name), left: hosts.left(name) });
  const untilClean = async (name = 'box', timeoutMs = 5000) => {
    const isClean = () => Object.values(leftOn(name)).every(({ length }) => length === 0);
    await eventually(isClean, timeoutMs);
    expect(leftOn(name)).toEqual({ running: [], left: [] });
    await place.untilEmpty(timeoutMs);
  };
  const measuring = () => hosts.running('box').some((line) => line.includes('main.js'));

  test('starts them, is read there, and records and tables are here', async () => {
    const run = await on('box', ...SHORT, '--launches', '2', '-d', '0.8').finished;
    expect(run.code, run.stderr).toBe(0);
    const [two, one] = [recordIn(out), recordIn(join(place.folder, 'record-one-machine.json'))];
    for (const record of [two, one]) {
      expect(record).toMatchObject({ state: 'complete', failures: [] });
      expectAnswers(record);
      // A record has no names of machines.
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
  ])('measures a command %s with all that is beside it, and the floor', async (_, command) => {
    const folder = join(place.folder, 'own');
    mkdirSync(folder, { recursive: true });
    const server =
      "require('node:http').createServer((_, response) => response.end(require('./text.js'))).listen(process.env.PORT, process.env.HOST);";
    writeFileSync(join(folder, 'server.js'), server);
    writeFileSync(join(folder, 'text.js'), "module.exports = process.env.GREETING ?? 'none';");
    const args = ['run', '--env', 'GREETING=Hi', '--server-host', 'box', '--no-one-machine'];
    const all = [...args, ...SHORT, '--topology', 'single', '--out', out];
    const run = await start([...all, ...command], folder).finished;
    expect(run.code, run.stderr).toBe(0);
    const record = recordIn(out);
    expect(record.targets.map(({ label }) => label)).toEqual(['node:http', 'node server.js']);
    expectAnswers(record);
    await untilClean();
  });

  test('a network that takes 20 ms bounds what is answered, and is most of the latency', async () => {
    const run = await on('far', ...SHORT, '-c', '10', '-p', '1', '--no-one-machine').finished;
    expect(run.code, run.stderr).toBe(0);
    const record = recordIn(out);
    expectAnswers(record);
    const [row] = summarizeNetwork(record, summarize(record).conditions);
    expect(row?.roundTrip.leastNs).toBeGreaterThanOrEqual(20e6);
    expect(row?.roundTrip.p95Ns).toBeGreaterThan(row?.roundTrip.leastNs ?? 0);
    // Ten under way, each for 20 ms or longer.
    expect(row?.ceilingPerS).toBeLessThanOrEqual(500);
    expect(row?.share).toBeGreaterThan(0.5);
    expect(row && pointOf(row.throughput)).toBeLessThanOrEqual(600);
    await untilClean('far');
  });

  test('a network that stands still for less than the lease ends nothing', async () => {
    const run = on('far', ...LONG, '--launches', '2');
    await run.untilSays('a round is over', 2);
    hosts.hold('far', true);
    await setTimeout(4000);
    hosts.hold('far', false);
    await run.untilSays('a round is over', 6);
    run.signal('SIGINT');
    const { code } = await run.finished;
    expect(code).toBe(130);
    expect(recordIn(out).failures).toEqual([]);
    await untilClean('far', 15_000);
  });

  test.runIf(FAKETIME !== '')(
    'a clock that is 5 s ahead is told, and changes no figure',
    async () => {
      const run = await on('ahead', ...BRIEFLY).finished;
      expect(run.code, run.stderr).toBe(0);
      const told = /The clock of ahead is ([\d,.]+) ms ahead, ±([\d,.]+) ms/.exec(run.stderr) ?? [];
      const [, aheadMs = 0, errorMs = 0] = told.map((text) => Number(text.replace(',', '')));
      expect(Math.abs(aheadMs - 5000)).toBeLessThanOrEqual(errorMs + 1);
      expectAnswers(recordIn(out));
      await untilClean('ahead');
    },
  );

  test.runIf(FAKETIME !== '')('a clock that drifts is told too', async () => {
    const run = await on('drifting', ...BRIEFLY, '-d', '4').finished;
    expect(run.code, run.stderr).toBe(0);
    const [, gains = ''] = /and gains ([\d,.]+) ms an hour/.exec(run.stderr) ?? [];
    // 36 s an hour, but for what the round trips hide.
    expect(Math.abs(Number(gains.replace(',', '')) - 36_000)).toBeLessThan(9000);
    expectAnswers(recordIn(out));
    await untilClean('drifting');
  });

  test('two at a time measure both, and each is flagged for the other', async () => {
    const other = join(place.folder, 'other.json');
    const first = on('box', ...LONG);
    await first.untilSays('a round is over', 2);
    const second = await on('box', ...BRIEFLY, '--out', other).finished;
    expect(second.code, second.stderr).toBe(codeFor(recordIn(other)));
    first.signal('SIGINT');
    expect((await first.finished).code).toBe(130);
    for (const record of [out, other].map(recordIn)) {
      expect(record).toMatchObject({ hadOtherRuns: true, failures: [] });
    }
    expect(recordIn(out).slices.length).toBeGreaterThan(0);
    expectAnswers(recordIn(other));
    await untilClean();
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
    'a command that gets %s leaves nothing on either side',
    async (signal) => {
      const run = on('box', ...LONG);
      await run.untilSays('a round is over', 2);
      run.signal(signal);
      const { code } = await run.finished;
      expect(code).toBe({ SIGINT: 130, SIGTERM: 143, SIGKILL: undefined }[signal]);
      expect(recordIn(out).slices.length).toBeGreaterThan(0);
      await untilClean('box', 15_000);
    },
  );

  test.each(['before it measures', 'while it measures'])(
    'a cable that is cut %s ends both sides',
    async (when) => {
      const run = on('box', ...LONG);
      if (when === 'while it measures') await run.untilSays('a round is over', 2);
      else await eventually(() => hosts.running('box').length > 0, 30_000);
      hosts.plug('box', false);
      const { code, stderr } = await run.finished.finally(() => hosts.plug('box', true));
      expect(code).not.toBe(0);
      expect(stderr).toMatch(/the connection to box is gone|10\.99\.0\.2 not responding/);
      if (when === 'while it measures') expect(recordIn(out).slices.length).toBeGreaterThan(0);
      await untilClean('box', 20_000);
    },
  );

  test('a harness there that is killed is said, and leaves nothing', async () => {
    const run = on('box', ...LONG);
    await run.untilSays('a round is over', 2);
    hosts.on('box', "pkill -9 -f '^node --[i]nput-type'");
    const { code, stderr } = await run.finished;
    expect(code).toBe(1);
    expect(stderr).toContain('what runs on box ended with code 137');
    expect(recordIn(out).slices.length).toBeGreaterThan(0);
    await untilClean('box', 15_000);
  });

  test('one that is not known, or has another key than before, is refused at once', async () => {
    const unknown = await on('nowhere', ...SHORT).finished;
    expect(unknown).toMatchObject({ code: 2, stdout: '' });
    expect(unknown.stderr).toContain('Could not resolve hostname nowhere');
    hosts.changeKey('other');
    const changed = await on('other', ...SHORT).finished;
    expect(changed).toMatchObject({ code: 2, stdout: '' });
    expect(changed.stderr).toContain('REMOTE HOST IDENTIFICATION HAS CHANGED');
    expect(measuring()).toBe(false);
  });

  test.each([
    ['locked', /locked: .*Permission denied/s],
    ['small', /ENOSPC: no space left on device/],
    ['old', /old: its Node is v20\.1\.0\. Install Node 22\.18 or later/],
  ])('one that is %s is said to be so, at once', async (name, reason) => {
    const run = await on(name, ...SHORT).finished;
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toMatch(reason);
    expect(hosts.running(name)).toEqual([]);
  });

  test('what a target needs and is not there is named before anything is copied', async () => {
    const folder = join(place.folder, 'targets/app');
    const args = targets();
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const bench = {
      ...manifest.bench,
      needs: ['sh', 'no-such-program', '/usr/{,local/}sbin/no-such*'],
    };
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, bench }));
    const run = await start(['frameworks', ...args, '--server-host', 'box', ...SHORT]).finished;
    expect(run).toMatchObject({ code: 2, stdout: '' });
    const reason = 'not on box: app needs no-such-program and /usr/{,local/}sbin/no-such*';
    expect(run.stderr).toContain(reason);
    expect(run.stderr).not.toContain('Measuring on');
    expect(leftOn('box')).toEqual({ running: [], left: [] });
  });

  test('one that is killed is said, with what was measured', async () => {
    const run = on('box', ...LONG);
    await run.untilSays('a round is over', 2);
    hosts.kill('box');
    const { code, stderr } = await run.finished;
    expect(code).toBe(1);
    expect(stderr).toContain('the connection to box is gone');
    expect(recordIn(out).slices.length).toBeGreaterThan(0);
    await place.untilEmpty(10_000);
  });
});
