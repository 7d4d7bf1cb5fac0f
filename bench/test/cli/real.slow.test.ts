/** The real program on this machine, once for each command and way of measuring that the fast tier leaves out. */
import { cpSync, existsSync, readdirSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../src/base/places.ts';
import type { RunRecord } from '../../src/record/record.ts';
import { onPath } from '../../src/system/on-path.ts';
import { CAN_SEE_SOCKETS } from '../../src/system/sockets.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { missingHere } from '../support/services.ts';
import {
  BRIEF,
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
/** Slices that are longer than an answer that comes late. */
const SLOWER = [...SHORT, '-d', '0.8', '--slice', '0.4'];
const packages = (name: string) => ['--packages', join(FIXTURES, name)];
const BIDDER = [...packages('bidder'), '--topology', 'single,2', '--targets', 'nest,gin,gin-json'];

interface Case {
  args: [string, ...string[]];
  /** Labels of rows in its tables. */
  rows: string[];
  /** What it can't do without, where that is not here. */
  missing?: string | null;
  /** What else its record holds. */
  holds?: (record: RunRecord) => void;
}

const CASES: Case[] = [
  {
    // For all workloads of the repository: open and closed loads, services, clusters, and claims.
    args: ['bidder', ...BIDDER, ...SLOWER],
    rows: ['Nest', 'Gin', 'Gin (JSON in Redis)'],
    missing: missingHere('redis'),
    holds: ({ starts, services, plan, slices }) => {
      expect(plan.pilot).toMatchObject({ kind: 'singleRequest' });
      // Three alone, and two on two cores.
      expect(starts).toHaveLength(3 + 2);
      for (const { bytes } of starts) expect(bytes).toBeGreaterThan(1e6);
      expect(new Set(services.map(({ name }) => name))).toEqual(new Set(['redis']));
      for (const { measurement } of slices) {
        expect(measurement.peak?.server).toBeGreaterThan(measurement.memory.server);
      }
    },
  },
  {
    args: ['cluster', '--pm2-tax', ...packages('.'), '--targets', 'ok', ...BRIEF],
    rows: [
      ...['plain node', 'pm2 fork mode', 'pm2 cluster mode', 'pm2 cluster mode with pmx'],
      ...['node:cluster', 'SO_REUSEPORT', 'worker threads'],
    ],
    holds: ({ slices }) => {
      // A process manager has memory of its own; who has none has no more than the server.
      for (const { cell, measurement } of slices) {
        const { manager } = measurement.memory;
        if (/^ok\/(single|reuse-port:1|threads:1)\//.test(cell)) expect(manager).toBe(0);
        else expect(manager).toBeGreaterThan(5e6);
      }
    },
  },
  {
    args: ['frameworks', '--rate=50', ...on(['ok', 'late-answers'], 'single,2'), ...SLOWER],
    rows: ['Fine (single)', 'Fine (2)', 'Late answers (single)'],
    holds: ({ slices }) => {
      for (const { measurement } of slices) {
        const { window, windowNs, pace } = measurement;
        // As many as fit between the edges of the window, whatever the server does.
        expect(Math.abs((pace?.planned ?? 0) - (50 * windowNs) / 1e9)).toBeLessThan(3);
        expect(window.sent).toBe((pace?.planned ?? 0) - (pace?.dropped ?? 0));
      }
    },
  },
  {
    args: ['frameworks', '--rate=10%,30%', ...on(['ok'], 'single'), ...SHORT],
    rows: [],
    holds: ({ plan }) => {
      const rates = plan.loads.map((load) => (load.kind === 'open' ? load.ratePerS : Number.NaN));
      expect((rates[1] ?? 0) / (rates[0] ?? 0)).toBeCloseTo(3, 1);
    },
  },
];

test.for(CASES)('`$args.0 $args.1` measures real servers', async (given, { skip }) => {
  const { args, rows, missing = null, holds = () => {} } = given;
  skip(missing !== null, missing ?? '');
  const { record, stdout } = await measured(place, ...args);
  for (const row of rows) expect(rowOf(stdout, row)).toMatch(/\d/);
  holds(record);
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

test('a record is saved in the results of the checkout, where `report`, `site` and `open` find it', async () => {
  const results = join(makeCheckout(), 'results');
  /** From elsewhere: the checkout counts, not the working folder. */
  const inCheckout = (...args: string[]) => {
    const words = [process.execPath, 'checkout/bench/src/cli.ts', ...args] as const;
    return startCommand(place, [...words], {}, place.folder).finished;
  };
  const none = await inCheckout('open');
  expect(none).toMatchObject({ code: 2, stdout: '' });
  expect(none.stderr).toContain('there is no page in checkout/results');

  const args = ['--contiguous', ...on(['ok'], 'single'), '-d', '0.5', '-c', '10'];
  const { code, stdout, stderr } = await inCheckout('frameworks', ...args);
  const [page = '', saved = '', ...others] = readdirSync(results).toSorted();
  expect(others).toEqual([]);
  expect(page).toBe(saved.replace(/json$/, 'html'));
  expect(saved).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-frameworks\.json$/);
  expect(stderr).toContain(`Saved as checkout/results/${saved}`);
  const record = recordIn(join(results, saved));
  expect(record).toMatchObject({ state: 'complete', slices: [{ cell: 'ok/single/custom' }] });
  expect(record.slices[0]?.measurement.windowNs).toBeGreaterThanOrEqual(0.499e9);
  expect(code).toBe(codeFor(record));
  // Its name is when it began, in UTC.
  expect(saved.slice(0, 19)).toBe(record.startedAt.slice(0, 19).replaceAll(':', '-'));

  const report = await inCheckout('report', `checkout/results/${saved}`);
  expect(report).toEqual({ code, stdout, stderr: '' });
  const site = await inCheckout('site', 'pages', '--from', 'checkout/results');
  expect(site).toMatchObject({ code: 0, stderr: '' });
  expect(site.stdout).toContain('1 page and ');
  expect(existsSync(join(place.folder, 'pages/index.html'))).toBe(true);
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
    const targets = on([...threads, ...processes, 'ok'], 'single,2');
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
      ...[...processes, 'ok', 'canned'].flatMap((name) => [
        `${name} as single: 1`,
        `${name} as 2: 2`,
      ]),
    ];
    expect([...new Set(counts)].sort()).toEqual(expected.sort());
    const flags = codesOf(record, ({ target }) => processes.includes(target));
    expect(flags).not.toContain('TOPOLOGY');
    if (threads.length === 0) return;
    expect(run.stderr).toContain('Building net-http: go build');
    // They stand in the order of their ranks.
    expect(run.stdout).toMatch(/^As .*\bprocesses of 2 threads\b/m);
    expect(run.stdout).toMatch(/^As .*\bpm2 clusters of 2\b/m);
  },
);
