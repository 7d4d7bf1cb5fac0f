/** What documents show is run: each command, with small amounts. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { onPath } from '../../src/system/on-path.ts';
import { overhead, start } from '../cli/harness.ts';
import { CAN_LIMIT } from '../support/control-groups.ts';
import { ownPlace } from '../support/leftovers.ts';
import { isRegistryWithinReach, registryEnvironment } from '../support/registry.ts';
import { missingHere } from '../support/services.ts';
import { argumentsOf, SHOWN } from './commands.ts';
import { ROOT } from './documents.ts';

/** Commands that fetch something are passed over where the npm registry is not within reach. */
const fetches = (args: string[]) => args.includes('--runtime') || args.includes('--with');
const isWithinReach = isRegistryWithinReach();
const toRegistry = registryEnvironment();
const place = ownPlace();
const out = join(place.folder, 'record.json');

/** As short as a run can be. */
const SHORT = ['-d', '0.3', '--launches', '1', '--warmup', '0.1'];
const AS_ONE = [...SHORT, '--topology', 'single'];
/**
 * What makes each command take seconds, by what it begins with: options that follow the documented
 * ones, and win. The longest beginning counts.
 */
const AMOUNTS: Record<string, string[]> = {
  frameworks: AS_ONE,
  'frameworks --runtime': [...AS_ONE, '--targets', 'node-http'],
  'frameworks --rate': [...AS_ONE, '--targets', 'node-http'],
  'frameworks --packages bench/floor': [...AS_ONE, '--targets', 'head-array,end-only'],
  'frameworks --packages bench/test/fixtures/services': [...AS_ONE, '--targets', 'plain,redis-a'],
  cluster: [...AS_ONE, '--targets', 'node-http'],
  'cluster --pm2-tax': SHORT,
  // The workloads themselves are built from the registry; their stand-ins have the same names.
  board: [...AS_ONE, '-c', '4', '--packages', 'bench/test/fixtures/board'],
  bidder: [...AS_ONE, '--packages', 'bench/test/fixtures/bidder', '--targets', 'nest'],
  image: [...AS_ONE, '-c', '2', '--packages', 'bench/test/fixtures/image'],
  ladder: [...AS_ONE, '-c', '4', '--packages', 'bench/test/fixtures/ladder'],
  'ladder --targets': [
    ...[...AS_ONE, '-c', '4', '--packages', 'bench/test/fixtures/ladder'],
    ...['--targets', 'nest-json,floor-json'],
  ],
  run: [...SHORT, '--slice', '0.1'],
  'run --cpu-limit': [...SHORT, '--slice', '0.1', '--topology', 'single', '--rate', '50'],
  'run --cpu-limit 0.25,0.5,1,1.5': [...SHORT, '--slice', '0.1', '--topology', 'single'],
  // Slices hold as many answers as tell something, each of which takes a quarter of a second of such a core.
  'run --cpu-limit 0.25,0.5,1,1.5 --topology single,2,4 --no-floor -c 8': [
    ...[...SHORT, '--slice', '0.1', '--topology', 'single', '--cpu-limit', '1'],
  ],
  where: [...SHORT, '--targets', 'node-http'],
  truth: ['--quick'],
  'truth --where': ['--quick'],
  price: ['--quick'],
  methods: ['--repeats', '1', '--seconds', '8'],
  verify: ['--topology', 'single'],
  // Those of the workloads have tests of their own, which build and start every target.
  'verify --packages workloads/bidder': ['--packages', 'bench/test/fixtures/bidder', '-t', 'nest'],
  'verify --packages workloads/board': ['--packages', 'bench/test/fixtures/board'],
  'verify --packages workloads/image': ['--packages', 'bench/test/fixtures/image'],
  'verify --packages workloads/ladder': ['--packages', 'bench/test/fixtures/ladder'],
};
/** A quick run takes about a minute, and longer beside other tests. */
const BUSY_MS = 180_000;
/** Those that have a record, and print it again with `report`. */
const MEASURES = [
  'frameworks',
  'cluster',
  'board',
  'bidder',
  'image',
  'ladder',
  'run',
  'truth',
  'where',
  'price',
  'methods',
];

const shown = [
  ...new Map(
    SHOWN.flatMap((each) => {
      const args = argumentsOf(each) ?? [];
      return args.length === 0 ? [] : [[args.join(' '), args] as const];
    }),
  ),
].map(([line, args]) => ({ line, args }));

/** With options of our own after those that are shown, but before a command of the reader's. */
function withOptions(args: string[], ...options: string[]): string[] {
  const dashes = args.indexOf('--');
  return args.toSpliced(dashes === -1 ? args.length : dashes, 0, ...options);
}

function amountsFor(args: string[]): string[] {
  const line = `${args.join(' ')} `;
  const [longest] = Object.keys(AMOUNTS)
    .filter((beginning) => line.startsWith(`${beginning} `))
    .sort((a, b) => b.length - a.length);
  const amounts = AMOUNTS[longest ?? ''];
  if (amounts === undefined) throw new Error(`no amounts say how to make \`${line}\` short`);
  return args.includes('--until') ? [...amounts, '--max-time', '1'] : amounts;
}

/** Why a command can't be run here; null where it can. */
function missingFor(args: string[]): string | null {
  const line = args.join(' ');
  if (args.includes('--cpu-limit') && !CAN_LIMIT) return 'no control group may be made here';
  if (line.includes('net-http') && !onPath('go')) return 'there is no Go here';
  return /\b(bidder|fixtures\/services)\b/.test(line) ? missingHere('redis') : null;
}

/** The exit code of a report: 1 where something is invalid, or a truth was not found. */
function deservedBy(stdout: string): 0 | 1 {
  const text = stdout.replaceAll('\n', ' ');
  const isFound =
    !text.startsWith('overhead truth') ||
    /The harness finds what is|Profiles charge every known cost/.test(text);
  return isFound && !text.includes('(invalid)') ? 0 : 1;
}

test('there is something to run', () => {
  const commands = new Set(shown.map(({ args: [command] }) => command));
  expect([...commands].sort()).toEqual(
    // `open` shows whatever the user ran last: it is tested where there is a folder of its own.
    [...Object.keys(AMOUNTS), 'report', 'site', 'open']
      .filter((name) => !name.includes(' '))
      .sort(),
  );
});

describe('the commands that measure', () => {
  const measuring = shown.filter(({ args: [command = ''] }) => MEASURES.includes(command));

  test.for(measuring)('$line', { timeout: BUSY_MS }, async ({ args }, { skip }) => {
    const asked = withOptions(args, ...amountsFor(args), '--out', out);
    const environment = fetches(args) ? toRegistry : {};
    skip(fetches(args) && !isWithinReach, 'the npm registry is not within reach');
    skip(missingFor(args) !== null, missingFor(args) ?? '');
    const run = await start(place, asked, environment).finished;
    // 1 where slices this short have disturbed a cell, or were too few to find the truth.
    expect(run.code, run.stderr).toBeOneOf([0, 1]);
    expect(run.stdout).toMatch(/^overhead \S+\nMeasured on /);
    expect(run.stderr).toContain('Saved as ');
    const { code, stdout } = run;
    const details = args.includes('--details') ? ['--details'] : [];
    expect(await overhead(place, 'report', out, ...details)).toEqual({
      code,
      stdout,
      stderr: '',
    });
    if (args[0] === 'truth') {
      expect(code).toBe(deservedBy(stdout));
    }
  });
});

test.for(shown.filter(({ args: [command] }) => command === 'verify'))(
  '$line',
  async ({ args }, { skip }) => {
    skip(missingFor(args) !== null, missingFor(args) ?? '');
    const run = await overhead(place, ...args, ...amountsFor(args));
    expect(run).toMatchObject({ code: 0, stderr: '' });
  },
);

test.each(shown.filter(({ args: [command] }) => command === 'site'))('$line', async ({ args }) => {
  const [command = '', , ...options] = args;
  const pages = join(place.folder, 'pages');
  // Where it says nothing, the pages are of whatever the user ran: here, of the saved runs.
  const from = options.includes('--from') ? [] : ['--from', join(ROOT, 'docs/runs')];
  const { code, stderr } = await overhead(place, command, pages, ...options, ...from);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(globSync('*.html', { cwd: pages })).toContain('index.html');
});

describe('the saved runs', () => {
  const files = globSync('docs/runs/**/*.json', { cwd: ROOT }).sort();

  test.each(files)('`report %s` prints it again', async (file) => {
    const { code, stdout, stderr } = await overhead(place, 'report', file);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^overhead \S+\nMeasured on /);
    expect(code).toBe(deservedBy(stdout));
  });
});
