/** Documented commands for real, in small amounts: those that the runs in `cli/` do not stand for. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PACKAGES, ROOT } from '../../src/base/places.ts';
import { sum } from '../../src/figures/figures.ts';
import type { RunRecord } from '../../src/record/record.ts';
import { onPath } from '../../src/system/on-path.ts';
import { readTargets } from '../../src/targets/targets.ts';
import { BRIEF, harnessPlace } from '../cli/harness.ts';
import { command, wordsOf } from '../support/command.ts';
import { CAN_LIMIT } from '../support/control-groups.ts';
import { callersEnvironment, isRegistryWithinReach } from '../support/registry.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { MEASURING, withOptions } from './documents.ts';

const isWithinReach = isRegistryWithinReach();
/** Builds and downloads use the user's caches. */
const CALLERS = callersEnvironment();

interface Case {
  /** As documented, without quotation marks. */
  line: string;
  /** Options after the documented ones that make the run take seconds, beside those of all. */
  amounts?: string;
  /** Why it can't run here; null if it can. */
  missing?: string | null;
  /** Further expectations of its record. */
  holds?: (record: RunRecord) => void;
}

const LIMITING = { missing: CAN_LIMIT ? null : 'no control group may be made here' };
const FETCHING = { missing: isWithinReach ? null : 'the npm registry is not within reach' };

const CASES: Case[] = [
  {
    line: 'frameworks --packages bench/floor --topology single -c 100 -p 10',
    amounts: '--targets head-array,end-only',
  },
  { line: 'frameworks --packages bench/twins --topology single -c 100 -p 10' },
  {
    line: 'frameworks --runtime node@22.13.1,node@24 --topology single',
    amounts: '--targets node-http',
    ...FETCHING,
  },
  { line: 'frameworks --with express@4', amounts: '--targets express-app', ...FETCHING },
  {
    line:
      'run node docs/scripts/right-prototypes.cjs node docs/scripts/right-prototypes.cjs right ' +
      '--name Express --name right -c 100 -p 10 --launches 8',
  },
  {
    line: 'run --cpu-limit 0.25,0.5,1,1.5 --topology single,2,4 packages/node-http',
    amounts: '--cpu-limit 0.5,1',
    ...LIMITING,
    holds: expectLimits,
  },
  {
    line: 'run --cpu-limit 0.25 --topology single,2,4 --rate 60% bench/test/fixtures/net-http',
    amounts: '--rate 50',
    missing: onPath('go') ? LIMITING.missing : 'there is no Go here',
  },
  {
    line: 'image --cpu-limit 0.25,0.5,1,1.5 --topology single,2,4 --targets sharp -d 9 --launches 3',
    // The workload itself needs packages from the registry; the fixture has the same names.
    amounts: '-c 2 --packages bench/test/fixtures/image --cpu-limit 0.5',
    ...LIMITING,
    holds: ({ starts, plan }) => {
      expect(plan.pilot).toMatchObject({ kind: 'capacity' });
      for (const { judged } of starts) {
        expect(judged.map(({ figures }) => figures.width)).toEqual([160, 640]);
      }
    },
  },
];

/** No server got more CPU than its limit, and the throttling of each is recorded. */
function expectLimits({ targets, slices }: RunRecord): void {
  for (const { name, cpuLimit } of targets) {
    const cells = slices.filter(({ cell }) => cell.startsWith(`${name}/`));
    const own = cells.map(({ measurement }) => measurement);
    expect(sum(own, ({ throttling }) => throttling?.periods ?? 0)).toBeGreaterThan(0);
    // A new period may begin at any moment of a window, so each has at most one quota more.
    const givenNs = sum(own, ({ windowNs }) => windowNs + 1e8) * (cpuLimit ?? 0);
    expect(sum(own, ({ cpu }) => cpu.server.cpuNs) / givenNs, name).toBeLessThan(1.1);
  }
}

/** Runs mostly wait, so three go on at once, each in a place of its own. */
const LANES = [0, 1, 2];

describe.concurrent.each(LANES)('lane %i', (lane) => {
  const place = harnessPlace();
  const own = CASES.filter((_, index) => index % LANES.length === lane);
  const options = { concurrent: false, timeout: 400_000 };

  test.for(own)('$line', options, async ({ line, amounts = '', missing, holds }, { skip }) => {
    const documented = MEASURING.find((each) => each.line === line);
    if (documented === undefined) throw new Error('it is in no document');
    skip(typeof missing === 'string', missing ?? '');
    const brief = [...BRIEF, '--topology', 'single', ...wordsOf(amounts)];
    const { record } = await place.measured(withOptions(documented.args, ...brief), CALLERS);
    holds?.(record);
  });
});

describe('verify', () => {
  const place = harnessPlace();

  // Alone they are asked in `targets/servers.process.test.ts`.
  test('finds that all targets answer as declared in clusters', async () => {
    const run = await place.start(['verify', '--topology', '2']).finished;
    const count = readTargets(PACKAGES).length;
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain(`${count} of ${count} servers answer as declared`);
  });
});

test('`pnpm site` makes a page of each saved run, one of the published claims, and an index', async () => {
  using folder = temporaryFolder();
  const runs = globSync('docs/runs/*.json.gz', { cwd: ROOT });
  expect(await command(['site', folder.path, '--from', join(ROOT, 'docs/runs')])).toMatchObject({
    ...{ code: 0, stderr: '' },
    stdout: expect.stringMatching(new RegExp(`^${runs.length} pages and `)),
  });
  const made = globSync('*.html', { cwd: folder.path });
  const names = runs.map((path) => path.replace(/^.*\/(.*)\.json\.gz$/, '$1.html'));
  expect(made.sort()).toEqual([...names, 'published-claims.html', 'index.html'].sort());
});
