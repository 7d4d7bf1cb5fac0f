/** Every documented command runs on a simulated machine. */
import { cpSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, expect, test, vi } from 'vitest';
import { TRUTH_FOLDER } from '../../src/base/places.ts';
import { type AnyRecord, readAny } from '../../src/commands/report.ts';
import { METHODS } from '../../src/studies/methods/run-options.ts';
import { COSTS, SIZED, SIZED_NAME } from '../../src/studies/truth/targets.ts';
import { KNOWN_PARTS } from '../../src/studies/truth/where.ts';
import { runnable } from '../../src/targets/needs.ts';
import { readTargets } from '../../src/targets/targets.ts';
import { expectAnswers } from '../cli/harness.ts';
import { command, simulate, wordsOf } from '../support/command.ts';
import { onPathOfEach } from '../support/fake-programs.ts';
import { folderOfEach } from '../support/folder-of-each.ts';
import type { World } from '../support/simulated/backend.ts';
import { ON_NODE, type SampledFunction } from '../support/simulated/profile.ts';
import { HEALTHY } from '../support/simulated/server.ts';
import { DOCUMENTED, linesOf, MEASURING, STAND_INS, withOptions } from './commands.ts';
import { ROOT } from './documents.ts';

/** Targets that need any other program are left out. */
const PROGRAMS = 'node npm go gcc redis-server mariadbd mariadb-install-db k6'.split(' ');

/** Options that reduce the simulation of a line to a second, where it would take several. */
const FEWER: Record<string, string> = {
  board: '--launches 2 -c 10',
  'bidder --as-published': '-d 10',
  'frameworks --rate 10%..95%': '--launches 2 -d 4',
  'frameworks --rate 10%..95% --topology single -c 100': '--launches 2',
  ladder: '--launches 2',
  'workload ./workloads/ladder': '--launches 2',
  'run --cpu-limit 0.25,0.5,1,1.5 --topology single,2,4 packages/node-http': '--launches 2 -d 2.4',
  'image --cpu-limit 1.5 --topology single,2,4,8,16 -t go-vips,go-vips-default,go-vips-go-1.24,go-vips-automaxprocs':
    '--launches 2',
  price: '--quick',
};

/** What the servers of known cost take more than others, ns; their own clocks see most of it. */
const MORE_NS = 3000;
const SEEN = 0.9;
const KNOWN = [...COSTS.flatMap(({ known }) => known), ...KNOWN_PARTS].map(({ name }) => name);
const KNOWN_WORK = `${pathToFileURL(join(TRUTH_FOLDER, 'known-work/index.ts'))}`;
/** The functions in which they spend it. */
const SPENT: Record<string, Omit<SampledFunction, 'share'>> = {
  'in-package': { name: 'churn', url: KNOWN_WORK },
  'in-native': { name: 'hash', url: '' },
  'in-collector': { name: '(garbage collector)', url: '' },
};

/** A world in which nothing goes wrong, and the servers of known cost and size have these. */
const WORLD: World = {
  server: (name) => {
    if (name === SIZED_NAME) return { bytesPerResponse: SIZED.head + SIZED.body };
    if (!KNOWN.includes(name)) return {};
    const spent = SPENT[name];
    const cpuNs = HEALTHY.cpuNs + MORE_NS;
    const isCollected = name === 'in-collector';
    const ownNs = isCollected ? 0 : MORE_NS;
    const usual = ON_NODE.map((each) => ({ ...each, share: (each.share * HEALTHY.cpuNs) / cpuNs }));
    return {
      cpuNs,
      handler: { medianNs: ownNs * SEEN, meanNs: ownNs, gcNs: isCollected ? MORE_NS : 0 },
      functions: spent ? [...usual, { ...spent, share: MORE_NS / cpuNs }] : usual,
    };
  },
};

/** The beginning of a report, by its format. */
const BEGINNINGS: Record<string, RegExp> = {
  terminal: /^overhead \S+\nMeasured on /,
  markdown: /^# overhead \S+\n/,
  html: /^<!doctype html>/i,
  csv: /^suite,/,
};

const folder = folderOfEach();
onPathOfEach(...PROGRAMS);
beforeEach(() => void vi.stubEnv('INIT_CWD', ROOT));

test('every command is documented', () => {
  const commands = new Set(DOCUMENTED.map(({ args: [name] }) => name));
  expect([...commands].sort().join(' ')).toBe(
    'ab bidder board cluster compare frameworks image k8s ladder methods ' +
      'open price report run site truth verify where workload',
  );
});

/** Expects that everything that was planned was measured. */
function expectWhole(record: AnyRecord): void {
  if (record.schema === 'overhead.methods') {
    for (const method of METHODS) {
      const own = record.measurements.filter((each) => each.method === method);
      expect(own, method).toHaveLength(record.repeats);
    }
    return;
  }
  expect(record.state).toBe('complete');
  if (record.schema === 'overhead.run') {
    expectAnswers(record);
    return;
  }
  for (const variant of record.variants) {
    const own = record.slices.filter((slice) => slice.variant === variant);
    expect(own, variant).toHaveLength(record.launches * record.rounds);
  }
}

/** A simulated run takes much longer on a busy machine. */
const BUSY_MS = 60_000;

test.each(MEASURING)('$line', { timeout: BUSY_MS }, async ({ line, args }) => {
  const out = join(folder.path, 'record.json');
  const asked = withOptions(args, ...wordsOf(FEWER[line] ?? ''), '--out', out);
  const { code, stdout, stderr } = await simulate(asked, WORLD);
  expect(code, `${stdout}${stderr}`).toBe(0);
  expectWhole(readAny(out));
  expect(await command(['report', out])).toEqual({ code: 0, stdout, stderr: '' });
});

test.each(linesOf('verify'))('$line', async ({ args }) => {
  const packages = args.includes('--packages') ? args[args.indexOf('--packages') + 1] : 'packages';
  const { targets } = runnable(readTargets(join(ROOT, packages ?? '')));
  const isOne = args.includes('express-app');
  const topologies = args.includes('--topology') ? 1 : 3;
  const counts = targets.map(({ start, scale }) => {
    return scale.by === 'processes' && start[0] !== 'node' ? 1 : topologies;
  });
  const count = isOne ? topologies : counts.reduce((sum, each) => sum + each, 0);
  const { code, stdout } = await simulate(args, WORLD);
  expect(code).toBe(0);
  expect(stdout).toContain(`${count} of ${count} servers answer as declared`);
});

// Reports of the saved runs that documents show have a test of their own.
const ofReaders = linesOf('report').filter(({ line }) => line.includes(STAND_INS.FILE));

test.each(ofReaders)('$line', async ({ args }) => {
  const place = args.indexOf('-o') + 1;
  const out = place > 0 ? join(folder.path, args[place] ?? '') : null;
  const { code, stdout, stderr } = await command(out === null ? args : args.with(place, out));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const text = out === null ? stdout : readFileSync(out, 'utf8');
  const [, format = 'terminal'] = /--format (\w+)/.exec(args.join(' ')) ?? [];
  expect(text).toMatch(BEGINNINGS[format] ?? /nothing/);
});

test.each(linesOf('compare'))('$line', async ({ args }) => {
  const { code, stdout } = await command(args);
  expect(code).toBe(0);
  expect(stdout).toContain('shows the drift');
});

test.each(linesOf('site'))('$line', async ({ args: [name = '', , ...options] }) => {
  const records = join(folder.path, 'records');
  for (const run of ['quick-1.json.gz', 'price.json.gz']) {
    cpSync(join(ROOT, 'docs/runs', run), join(records, run));
  }
  const pages = join(folder.path, 'pages');
  // The site of all saved runs has a test of its own; `results/` may hold anything.
  const { code, stderr } = await command([name, pages, ...options, '--from', records]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const made = globSync('*.html', { cwd: pages }).sort();
  expect(made).toEqual(['index.html', 'price.html', 'quick-1.html']);
});
