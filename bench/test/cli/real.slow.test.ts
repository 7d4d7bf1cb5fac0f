/** The real program on this machine, once for each command that the fast tier leaves out. */
import { cpSync, existsSync, readdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../src/base/places.ts';
import type { RunRecord } from '../../src/record/record.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { ownPlace } from '../support/leftovers.ts';
import { missingHere } from '../support/services.ts';
import {
  BRIEF,
  codeFor,
  measured,
  on,
  overhead,
  recordIn,
  rowOf,
  SHORT,
  startCommand,
} from './harness.ts';

const place = ownPlace();
/** Slices that are longer than an answer that comes late. */
const SLOWER = [...SHORT, '-d', '0.8', '--slice', '0.4'];
const packages = (name: string) => ['--packages', join(FIXTURES, name)];

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
    args: [
      ...(['bidder', ...packages('bidder'), '--topology', 'single,2'] as const),
      ...['--targets', 'nest,gin,gin-json', ...SLOWER],
    ],
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
      'nothing: plain node',
      'pm2 fork mode',
      'pm2 cluster mode',
      'pm2 cluster mode with pmx',
      'node:cluster',
      'nothing, with SO_REUSEPORT',
      'its own worker thread',
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

test('`verify` says of every real server whether it answers as declared', async () => {
  const run = await overhead(place, 'verify', ...on(['ok', 'wrong-body'], 'single,2'));
  expect(run).toMatchObject({ code: 1, stderr: '' });
  const rows = run.stdout.split('\n').map((line) => line.trim().split(/\s{2,}/));
  expect(rows).toEqual(
    expect.arrayContaining([
      ['Fine', 'single', 'ok', '1'],
      ['Fine', '2', 'ok', '2'],
      ['Wrong body', 'single', 'failed', '–'],
      ['Wrong body', '2', 'failed', '–'],
    ]),
  );
  const message = 'it answered with the body "Goodbye World!" instead of "Hello World!"';
  expect(run.stdout.split(message)).toHaveLength(3);
});

/** Another checkout, with what a run takes; its `results` are its own. */
function makeCheckout(): string {
  const checkout = join(place.folder, 'checkout');
  const [from, to] = [join(ROOT, 'bench'), join(checkout, 'bench')];
  const unneeded = ['node_modules', 'test'];
  cpSync(from, to, {
    recursive: true,
    filter: (source) => !unneeded.includes(basename(source)),
  });
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
  expect(await inCheckout('open')).toEqual({
    code: 0,
    stdout: `There is no browser here to open checkout/results/${page}\n`,
    stderr: '',
  });
});
