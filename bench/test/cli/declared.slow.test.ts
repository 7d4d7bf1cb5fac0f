/** What a target can declare, from the bench block to the tables. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mixOf } from '../../src/load/mix.ts';
import { onPath } from '../../src/system/on-path.ts';
import { CAN_SEE_SOCKETS } from '../../src/system/sockets.ts';
import { ownPlace } from '../support/leftovers.ts';
import { eventually } from '../support/processes.ts';
import { on, overhead, promisedBy, recordIn, rowOf, start, TINY } from './harness.ts';

/** Go's cache is in the home folder, and a test has another one; without it a build takes a minute. */
const GO = onPath('go')
  ? { GOCACHE: join(homedir(), '.cache', 'go-build'), GOTOOLCHAIN: 'local' }
  : null;

const place = ownPlace();
const out = join(place.folder, 'record.json');

/** A folder of targets out of their bench blocks, each a server in a shell that ends at once. */
function packages(name: string, blocks: Record<string, object>): string {
  const folder = join(place.folder, name);
  for (const [target, block] of Object.entries(blocks)) {
    mkdirSync(join(folder, target), { recursive: true });
    const bench = {
      suite: 'frameworks',
      label: target,
      start: ['sh', '-c', 'exit 7'],
      port: 3999,
      request: { method: 'GET', path: '/' },
      expect: { status: 200, body: '' },
      ...block,
    };
    writeFileSync(join(folder, target, 'package.json'), JSON.stringify({ bench }));
  }
  return folder;
}

describe('several requests', () => {
  test('are verified, sent in their mix, and counted each', async () => {
    const options = [...on(['several-requests'], 'single'), ...TINY, '--out', out];
    const run = await overhead(place, 'frameworks', ...options);
    expect(run.code, run.stdout).toBe(promisedBy(run.stdout));
    const { slices, failures, targets } = recordIn(out);
    expect(failures).toEqual([]);
    const weights = targets[0]?.requests.map(({ weight }) => weight) ?? [];
    expect(mixOf(weights)).toHaveLength(6);
    const own = slices.filter(({ cell }) => cell.startsWith('several-requests/'));
    expect(own.length).toBeGreaterThan(0);
    for (const { measurement } of own) {
      const { requests, window } = measurement;
      expect(requests).toHaveLength(4);
      expect([window.wrongStatus, window.wrongBody]).toEqual([0, 0]);
      expect(requests.reduce((sum, { ok }) => sum + ok, 0)).toBe(window.ok);
      const [greeting = 0, ...others] = requests.map(({ ok }) => ok);
      expect(others.every((ok) => ok > 0 && ok < greeting)).toBe(true);
    }
  });

  test('are in a table of the details', async () => {
    const options = [...on(['several-requests'], 'single'), ...TINY, '--details'];
    const { stdout } = await overhead(place, 'frameworks', ...options, '--out', out);
    for (const request of ['GET /greeting', 'POST /orders', 'GET /picture']) {
      expect(stdout).toMatch(new RegExp(`^Several requests +${request} +[13] +[\\d,]+ `, 'm'));
    }
  });

  test('leave at a rate too', async () => {
    const options = [...on(['several-requests'], 'single'), '--rate', '200', ...TINY.slice(2)];
    await overhead(place, 'frameworks', ...options, '--out', out);
    const [slice] = recordIn(out).slices;
    expect(slice?.measurement.window).toMatchObject({ wrongStatus: 0, wrongBody: 0 });
    expect(slice?.measurement.requests).toHaveLength(4);
  });

  test('are refused where an answer is not the same every time', async () => {
    const run = await overhead(place, 'verify', ...on(['never-the-same'], 'single'));
    expect(run.code).toBe(1);
    expect(run.stdout.replaceAll(/\s+/g, ' ')).toContain(
      'it does not answer the same every time, so that nothing could be compared under load: ' +
        '"{\\"a\\":1,\\"b\\":2}", and then "{\\"b\\":2,\\"a\\":1}"',
    );
  });
});

test('a variant has a label of its own, and stands over what it is a variant of', async () => {
  const options = [...on(['ok', 'variant-of-ok'], 'single'), ...TINY, '--out', out];
  const { stdout } = await overhead(place, 'frameworks', ...options);
  expect(rowOf(stdout, 'Fine (by a shell)')).toMatch(/\d/);
  expect(rowOf(stdout, 'Fine (by a shell)')).toMatch(/ {2}Fine {2}/);
});

describe('what a target needs', () => {
  test('leaves it out where it is lacking, and the others go on', async () => {
    const folder = packages('needs', {
      lacking: { needs: ['no-such-program'] },
      here: { needs: ['sh'] },
    });
    const run = await overhead(place, 'verify', '--packages', folder, '--topology', 'single');
    expect(run.stderr).toBe('Left out: lacking needs no-such-program\n');
    expect(run.stdout).toContain('it ended with code 7 while starting');
    expect(run.stdout).not.toContain('lacking');
  });

  test('is an error where it is named', async () => {
    const folder = packages('named', { lacking: { needs: ['no-such-program'] } });
    const run = await overhead(place, 'verify', '--packages', folder, '--targets', 'lacking');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('not on the PATH: lacking needs no-such-program');
  });
});

describe('a build', () => {
  test('runs once before a run, and its failure is told with its output', async () => {
    const script = 'echo built >> log; echo compiling; test -e fine';
    const folder = packages('builds', { app: { build: ['sh', '-c', script] } });
    const args = ['--packages', folder, '--topology', 'single'];
    for (const command of ['frameworks', 'verify']) {
      const run = await overhead(place, command, ...args);
      expect(run.code).toBe(2);
      expect(run.stderr).toContain('the build of app failed: it ended with code 1\ncompiling\n');
    }
    writeFileSync(join(folder, 'app', 'fine'), '');
    const run = await overhead(place, 'frameworks', ...args, ...TINY, '--out', out);
    expect(run.stderr).toContain('Building app: sh -c');
    expect(run.stdout).toContain('it ended with code 7 while starting');
    expect(readFileSync(join(folder, 'app', 'log'), 'utf8')).toBe('built\n'.repeat(3));
  });

  test.each(['SIGINT', 'SIGKILL'] as const)('leaves nothing behind after %s', async (signal) => {
    const folder = packages(`long-${signal}`, {
      app: { build: ['sh', '-c', 'trap "" INT TERM; sleep 61 & sleep 61; sleep 61'] },
    });
    const harness = start(place, ['verify', '--packages', folder, '--topology', 'single']);
    const sleeps = () => place.processes().filter(({ command }) => command.includes('sleep 61'));
    expect(await eventually(() => sleeps().length >= 2, 20_000)).toBe(true);
    harness.signal(signal);
    const { code } = await harness.finished;
    if (signal === 'SIGINT') expect(code).toBe(130);
    await place.untilEmpty(10_000);
  });
});

/** Skipped where there is no Go. */
describe.runIf(GO !== null)('a Go server', () => {
  test('is built, and uses as many threads as the topology says', async () => {
    const options = [...on(['net-http', 'ok'], 'single,2'), ...TINY, '--out', out];
    const run = await start(place, ['frameworks', ...options], GO ?? {}).finished;
    expect(run.stderr).toContain('Building net-http: go build');
    const { failures, slices } = recordIn(out);
    expect(failures).toEqual([]);
    for (const { cell, measurement } of slices) {
      if (cell.startsWith('net-http/')) expect(measurement.workersCpuNs).toHaveLength(1);
    }
    expect(run.stdout).toContain('As processes of 2 threads or as pm2 clusters of 2,');
  });

  test.each(['fork', 'pmx:2', 'cluster:2'])('is refused as %s', async (topology) => {
    const run = await overhead(place, 'verify', ...on(['net-http'], topology));
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(`net-http scales by threads, without a process manager`);
  });
});

/** Only Linux deals connections to processes on one port, and shows whose they are. */
test.runIf(CAN_SEE_SOCKETS)('processes on one port are measured as they spread', async () => {
  const options = [...on(['reuse-port'], 'max'), ...TINY, '--out', out];
  const run = await overhead(place, 'frameworks', ...options);
  const { failures, slices, plan } = recordIn(out);
  expect(failures).toEqual([]);
  const processes = plan.topologies[0]?.processes;
  const own = slices.filter(({ cell }) => cell.startsWith('reuse-port/'));
  expect(own.map(({ measurement }) => measurement.workersCpuNs.length)).toEqual(
    own.map(() => processes),
  );
  expect(run.stdout).not.toContain('TOPOLOGY');
});
