/**
 * One documented command of each kind runs for real, with small amounts. Kinds differ in what a real server or load
 * depends on: runtimes, limits, services, rates. Everything else is tested on a simulated machine, for each command.
 */
import { describe, expect, test } from 'vitest';
import { PACKAGES } from '../../src/base/places.ts';
import { sum } from '../../src/figures/figures.ts';
import type { RunRecord } from '../../src/record/record.ts';
import { CAN_PROFILE } from '../../src/system/inspector.ts';
import { onPath } from '../../src/system/on-path.ts';
import { readTargets } from '../../src/targets/targets.ts';
import { BRIEF, measured, overhead } from '../cli/harness.ts';
import { wordsOf } from '../support/command.ts';
import { CAN_LIMIT } from '../support/control-groups.ts';
import { ownPlace } from '../support/leftovers.ts';
import { callersEnvironment, isRegistryWithinReach } from '../support/registry.ts';
import { missingHere } from '../support/services.ts';
import { MEASURING, withOptions } from './commands.ts';

const isWithinReach = isRegistryWithinReach();
/** Builds and downloads use the user's caches. */
const CALLERS = callersEnvironment();

const AS_ONE = [...BRIEF, '--topology', 'single'];

interface Kind {
  /** Options after the documented ones that make the run take seconds. */
  amounts: string[];
  /** Why it can't run here; null if it can. */
  missing?: string | null;
  /** Further expectations of its record. */
  holds?: (record: RunRecord) => void;
}

const LIMITING = { missing: CAN_LIMIT ? null : 'no control group may be made here' };
const FETCHING = { missing: isWithinReach ? null : 'the npm registry is not within reach' };

const KINDS: Record<string, Kind> = {
  frameworks: { amounts: [...AS_ONE, '--targets', 'express-app,nest-fastify'] },
  'frameworks bench/floor': { amounts: [...AS_ONE, '--targets', 'head-array,end-only'] },
  'frameworks bench/twins': { amounts: AS_ONE },
  'frameworks bench/test/fixtures/services': {
    amounts: [...AS_ONE, '--targets', 'redis-a,mariadb-a'],
    missing: missingHere('redis', 'mariadb'),
  },
  'frameworks --runtime': { amounts: [...AS_ONE, '--targets', 'node-http'], ...FETCHING },
  'frameworks --with': { amounts: [...AS_ONE, '--targets', 'express-app'], ...FETCHING },
  'ab --with': {
    amounts: wordsOf('-c 10 -d 0.2 --slice 0.1 --warmup 0.1 --max-time 1'),
    ...FETCHING,
  },
  where: {
    amounts: [...BRIEF, '--targets', 'node-http,express-app'],
    missing: CAN_PROFILE ? null : 'not here: a way to sample a server',
  },
  workload: { amounts: [...AS_ONE, '--targets', 'floor'], ...FETCHING },
  'run folder': { amounts: BRIEF },
  'run command': { amounts: BRIEF },
  'run --': { amounts: BRIEF },
  'run folder --cpu-limit': {
    amounts: [...AS_ONE, '--cpu-limit', '0.5,1'],
    ...LIMITING,
    holds: expectLimits,
  },
  'run folder --cpu-limit --rate': { amounts: [...AS_ONE, '--rate', '50'], ...LIMITING },
  'run bench/test/fixtures/net-http --cpu-limit --rate': {
    amounts: [...AS_ONE, '--rate', '50'],
    missing: onPath('go') ? LIMITING.missing : 'there is no Go here',
  },
  'image --cpu-limit': {
    // The workload itself needs packages from the registry; the fixture has the same names.
    amounts: wordsOf(
      `${AS_ONE.join(' ')} -c 2 --packages bench/test/fixtures/image --targets sharp --cpu-limit 0.5`,
    ),
    ...LIMITING,
    holds: ({ starts, plan }) => {
      expect(plan.pilot).toMatchObject({ kind: 'capacity' });
      for (const { judged } of starts) {
        expect(judged.map(({ figures }) => figures.width)).toEqual([160, 640]);
      }
    },
  },
};

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

const ELSEWHERE = [
  // In `cli/{real,truth,studies}.*.test.ts`, on their own servers or on fixtures.
  ...['frameworks --rate 500', 'frameworks --rate 10%..95%', 'cluster', 'cluster --pm2-tax'],
  ...['ab', 'bidder', 'truth', 'truth --where', 'price', 'methods'],
  // Workloads like `bidder`; their servers are tested in `workloads/*.test.ts`.
  ...['board', 'image', 'ladder'],
];

function kindOf([command = '', ...args]: string[]): string {
  const words = [command];
  if (command === 'run') words.push(serverOf(args));
  const packages = args.indexOf('--packages');
  if (packages >= 0) words.push(args[packages + 1] ?? '');
  for (const option of ['--pm2-tax', '--where', '--runtime', '--with', '--cpu-limit']) {
    if (args.includes(option)) words.push(option);
  }
  const rate = args.indexOf('--rate');
  if (rate >= 0) words.push(...args.slice(rate, command === 'run' ? rate + 1 : rate + 2));
  return words.join(' ');
}

/** How a command of `run` names its server. */
function serverOf(args: string[]): string {
  if (args.includes('--')) return '--';
  if (args.some((word) => word.startsWith('node '))) return 'command';
  return args.find((word) => word.includes('net-http')) ?? 'folder';
}

const byKind = Map.groupBy(MEASURING, ({ args }) => kindOf(args));

test('every documented command is of a kind that is tested', () => {
  expect([...byKind.keys()].sort()).toEqual([...Object.keys(KINDS), ...ELSEWHERE].sort());
});

const shown = Object.entries(KINDS).map(([name, kind]) => {
  const [{ args = [] } = {}] = byKind.get(name) ?? [];
  return { name, args, kind };
});

/** Runs mostly wait, so three go on at once, each in a place of its own. */
const LANES = [0, 1, 2];

describe.concurrent.each(LANES)('lane %i', (lane) => {
  const place = ownPlace();
  const own = shown.filter((_, index) => index % LANES.length === lane);
  const options = { concurrent: false, timeout: 400_000 };

  test.for(own)('$name', options, async ({ args, kind }, { skip }) => {
    const { amounts, missing = null, holds = () => {} } = kind;
    skip(missing !== null, missing ?? '');
    const [command = '', ...words] = withOptions(args, ...amounts);
    const environment = { ...place.environment, ...CALLERS };
    const { record } = await measured({ ...place, environment }, command, ...words);
    holds(record);
  });
});

describe('verify', () => {
  const place = ownPlace();

  test('finds that all targets answer as declared, alone and in clusters', async () => {
    const run = await overhead(place, 'verify', '--topology', 'single,2');
    const count = readTargets(PACKAGES).length * 2;
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain(`${count} of ${count} servers answer as declared`);
  });
});
