/** What the declarations of this repository come to: their loads, pilots and targets. */
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { WORKLOADS } from '../../src/base/places.ts';
import { loadSchema } from '../../src/plan/loads.ts';
import { makePilotPlan } from '../../src/plan/make-plan.ts';
import { cellOf, loadOf, type Plan } from '../../src/plan/plan.ts';
import { resolveTopologies } from '../../src/plan/topology.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { stepsOfPlan } from '../../src/run/steps.ts';
import type { Suite } from '../../src/suites/suite.ts';
import { perLimit } from '../../src/targets/copies.ts';
import { bridgeGaps } from '../../src/targets/layers.ts';
import { servicesOf } from '../../src/targets/targets.ts';
import type { Selector } from '../../src/workload/declaration.ts';
import { isSelected, loadsOf } from '../../src/workload/loads.ts';
import { ownWorkloads, workloadIn } from '../../src/workload/read.ts';
import { runAsked } from '../support/ask.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { BIDDERS } from '../support/make-bidder-record.ts';
import { boardTargets } from '../support/make-board-record.ts';
import { IMAGE_TARGETS } from '../support/make-image-record.ts';
import { LADDER } from '../support/make-ladder-record.ts';
import { makeMachine, makeOptions, planOf as planWith } from '../support/make-record.ts';
import { ownSuite, ownWorkload } from '../support/own-workloads.ts';
import { mutated, property, unless } from '../support/random.ts';

type Own = Pick<NonNullable<Parameters<typeof planWith>[1]>, 'targets' | 'pilot' | 'machine'> & {
  options: Partial<RunOptions>;
};
const SINGLE: Partial<RunOptions> = { topologies: ['single'] };
const OWN = {
  bidder: {
    targets: BIDDERS,
    options: { topologies: ['single', 'pmx:2', 2], durationS: 40, sliceS: 5, launches: 4 },
    pilot: { kind: 'singleRequest', server: 'gin-json/single', cpuNs: 1e6 },
  },
  board: {
    targets: boardTargets(),
    options: { topologies: ['single', 'max'], connections: 100, pipelining: 1 },
  },
  image: {
    targets: IMAGE_TARGETS,
    options: { ...SINGLE, connections: 4 },
    pilot: { kind: 'capacity', server: 'go-nfnt/single', perS: 4.04 },
  },
  ladder: { targets: LADDER, options: { ...SINGLE, connections: 50, pipelining: 4 } },
} satisfies Record<string, Own>;
type Name = keyof typeof OWN;

function planOf(name: Name, parts: Partial<RunOptions> = {}, changes: Partial<Own> = {}): Plan {
  const { options, ...own }: Own = { ...OWN[name], ...changes };
  return planWith({ ...options, ...parts }, { suite: ownSuite(name), ...own });
}

/** The targets that a load is put on as single processes. */
function on(plan: Plan, load: string): string[] {
  const cells = plan.cells.filter((cell) => cell.load === load && cell.topology === 'single');
  return cells.map(({ target }) => target);
}

const QUICK = BIDDERS.filter((target) => isSelected(target, ownWorkload('bidder').quick.targets));
const UNBROKEN = { contiguous: true, durationS: 300, launches: 1 };
const SHORT = { durationS: 12, sliceS: 3, launches: 4 };
const levels = (...all: number[]) => {
  return ['home', 'latest'].flatMap((path) => all.map((n) => `${path}-${n}`));
};

test.each<[Name, Partial<RunOptions>, string[]]>([
  ['bidder', {}, ['quiet', 'rate-500', 'limit']],
  ['bidder', UNBROKEN, ['rate-500']],
  ['bidder', { topologies: [2] }, ['rate-500']],
  ['board', {}, levels(10, 50, 100)],
  ['board', { connections: 10 }, levels(10)],
  ['board', { connections: 4 }, levels(4)],
  ['board', { connections: 60 }, levels(10, 50, 60)],
  ['image', {}, ['limit', 'served', 'overloaded', 'burst']],
  ['ladder', {}, ['cost']],
])('the loads of %s with %j are %j', (name, parts, ids) => {
  const { loads } = planOf(name, parts);
  expect(loads.map(({ id }) => id)).toEqual(ids);
  for (const load of loads) expect(loadSchema.parse(load)).toEqual(load);
});

const HOME = { connections: 50, pipelining: 1, headline: 'cpu', waitForAll: false };
const LIMIT = { connections: 4, waitForAll: true, timeoutNs: 120e9, blocks: 1 };
const CONTIGUOUS = { method: 'contiguous', blocks: 1 };
const MANY_ROUNDS = { durationS: 7.5, sliceS: 0.5, launches: 5 };
const COST = { headline: 'cpu', saturates: true, minLoopTurnNs: 2e6 };
test.each<[Name, string, Partial<RunOptions>, object]>([
  ['board', 'home-50', {}, HOME],
  // The database answers all before it first.
  ['board', 'latest-10', {}, { waitForAll: true, drainBetweenSlices: true, timeoutNs: 10e9 }],
  ['board', 'latest-100', {}, { timeoutNs: 50e9 }],
  ['image', 'limit', {}, LIMIT],
  ['image', 'limit', SHORT, { sliceNs: 3e9, blocks: 2 }],
  ['image', 'limit', { contiguous: true }, CONTIGUOUS],
  ['image', 'served', {}, { kind: 'open', ratePerS: 2.4 }],
  ['image', 'overloaded', {}, { kind: 'open', ratePerS: 8.1 }],
  ['image', 'burst', SHORT, { kind: 'open', ratePerS: 24, sliceNs: 10e9 }],
  ['bidder', 'rate-500', UNBROKEN, { method: 'contiguous', sliceNs: 300e9 }],
  ['bidder', 'quiet', { driver: 'k6' }, { ratePerS: 220, driver: 'pacer' }],
  ['bidder', 'rate-500', { driver: 'k6' }, { ratePerS: 500, driver: 'k6' }],
  // Three rounds in one slice, which has room for seven turns and a half.
  ['ladder', 'cost', MANY_ROUNDS, { ...COST, sliceNs: 1.5e9, everyNthRound: 3, blocks: 8 }],
  // Connections rest for longer than any block takes.
  ['ladder', 'cost', {}, { connections: 50, pipelining: 4, timeoutNs: 60e9 }],
  ['ladder', 'cost', UNBROKEN, CONTIGUOUS],
])('%s: the load %s with %j is %j', (name, id, parts, load) => {
  expect(loadOf(planOf(name, parts), id)).toMatchObject(load);
});

test.each([
  [0.1e6, 2200],
  [50e6, 4],
  [1e9, 1],
])('a server that takes %d ns needs loads as quiet as %d requests/s', (cpuNs, ratePerS) => {
  const pilot = { kind: 'singleRequest', server: 'gin/single', cpuNs } as const;
  expect(planOf('bidder', {}, { pilot }).loads[0]).toMatchObject({ ratePerS });
});

test('the load as published is the literal one, after the literal warm-up', () => {
  const plan = planOf('bidder', runAsked('bidder', '--as-published').options);
  const driver = 'k6';
  expect(plan.warmup).toEqual({ kind: 'paced', ns: 5e9, driver, ratePerS: 100, connections: 50 });
  expect(plan.loads).toMatchObject([
    { id: 'rate-500', method: 'contiguous', sliceNs: 300e9, driver, connections: 500 },
  ]);
  expect(plan.launches).toHaveLength(1);
});

test('loads share the time between them', () => {
  const secondsOf = (plan: Plan, id: string) => {
    const { sliceNs, everyNthRound } = loadOf(plan, id);
    return (plan.launches.length * Math.ceil(plan.rounds / everyNthRound) * sliceNs) / 1e9;
  };
  const plan = planOf('bidder');
  expect(['rate-500', 'quiet', 'limit'].map((id) => secondsOf(plan, id))).toEqual([40, 24, 8]);
  expect(secondsOf(planOf('bidder', { durationS: 300 }), 'quiet')).toBeLessThan(40);
  const levelled = planOf('board', { durationS: 6, sliceS: 1, launches: 2 });
  expect(loadOf(levelled, 'latest-10')).toMatchObject({ sliceNs: 1e9, everyNthRound: 1 });
  expect(loadOf(levelled, 'latest-100')).toMatchObject({ sliceNs: 3e9, everyNthRound: 3 });
});

test.each<[Name, string]>([
  ['bidder', 'lone request'],
  ['image', 'the slowest server'],
])('the loads of %s need the result of a pilot', (name, message) => {
  expect(() => planOf(name, {}, { pilot: { kind: 'none' } })).toThrow(message);
});

test('the targets under a load include what was published if there are only single processes', () => {
  expect(on(planOf('board', SINGLE), 'latest-100')).toContain('fiber-2024-latest');
});

test('targets have processes that no other number of connections has been on', () => {
  const plan = planOf('board');
  const loads = plan.groups.map((cells) => new Set(cells.map((id) => cellOf(plan, id).load)));
  expect(loads.map(({ size }) => size)).toEqual(plan.loads.map(() => 1));
});

test('the targets under a load are the same layers of all frameworks at a time if memory is short', () => {
  // Room for six servers, and what is beside them.
  const machine = makeMachine({ memoryAvailableBytes: 1.95e9 / 0.75 });
  const { groups } = planOf('ladder', {}, { targets: bridgeGaps(LADDER, LADDER), machine });
  const frameworks = ['express', 'floor', 'nest'];
  expect(groups[0]?.map((id) => id.split('/')[0])).toEqual([
    ...[...frameworks, ...frameworks.map((name) => `${name}-json`)],
  ]);
});

const pilotOf = (parts: Partial<RunOptions>, targets = BIDDERS) => {
  const options = makeOptions({ ...OWN.bidder.options, ...parts });
  return makePilotPlan(ownSuite('bidder'), options, targets, makeMachine());
};

test('the pilot has every server that a derived load is put on, as a single process, and is none without', () => {
  const plan = pilotOf({});
  expect(plan?.loads).toMatchObject([{ kind: 'open', ratePerS: 100, saturates: false }]);
  expect(plan && on(plan, 'pilot')).toEqual(BIDDERS.map(({ name }) => name));
  const short = pilotOf({}, QUICK);
  const quick = ['gin-2025-repeated', 'nest-2025-repeated'];
  expect(short && on(short, 'pilot').toSorted()).toEqual(quick);
  expect(pilotOf({ contiguous: true })).toBeNull();
  expect(pilotOf({ topologies: [2] })).toBeNull();
});

const VARIANT = ['go-vips-progressive'];
const BOARD = [
  ...['elysia-home', 'elysia-latest', 'elysia-n-plus-one-latest', 'elysia-static-home'],
  ...['elysia-published-latest', 'fiber-home', 'fiber-latest', 'fiber-n-plus-one-latest'],
  ...['fiber-prepared-latest', 'fiber-published-latest', 'net-http-home', 'net-http-latest'],
];

const selectedOf = (name: Name, given: object, packages = join(FIXTURES, name)) => {
  return ownSuite(name).subjects({ given, packages, options: makeOptions() }).targets;
};

test.each<[Name, { quick?: boolean; targets?: string[] }, string[]]>([
  ['board', {}, BOARD],
  ['board', { quick: true, targets: ['net-http'] }, ['net-http-home', 'net-http-latest']],
  ['image', { quick: true }, ['go-nfnt', 'go-vips']],
  ['image', { quick: true, targets: VARIANT }, VARIANT],
  ['image', {}, ['go-nfnt', 'go-vips', 'php-imagick', 'sharp']],
])('the targets of %s with %j are %j', (name, given, names) => {
  expect(selectedOf(name, given).map((target) => target.name)).toEqual(names);
});

test('a preset may have only some of the loads, and no pilot if none of them is derived', () => {
  const { targets, options } = OWN.image;
  const suite = ownSuite('image', { quick: true });
  expect(planWith(options, { suite, targets }).loads.map(({ id }) => id)).toEqual(['limit']);
  const pilotWith = (own: Suite) =>
    makePilotPlan(own, makeOptions(options), targets, makeMachine());
  expect([suite, ownSuite('image')].map(pilotWith)).toEqual([null, expect.anything()]);
});

test('targets of a quick run are variants of the nearest below, if those between are left out', () => {
  const targets = selectedOf('ladder', { quick: true }, join(WORKLOADS, 'ladder'));
  const over = new Map(targets.map(({ name, variantOf }) => [name, variantOf]));
  expect([...over.keys()]).toHaveLength(10);
  const bases = ['express', 'express-body', 'nest-fastify-body'].map((name) => over.get(name));
  expect(bases).toEqual([null, 'express', 'nest-fastify']);
  expect(targets.flatMap(servicesOf)).toEqual([]);
});

/** For starting a server of the ladder, which take longest. */
const START_S = 0.94;
/** Warm-ups end before their cap: in a run of 192 starts at 0.43 of it on average. */
const SETTLING_SHARE = 0.7;

test.each([
  ['bidder', false, 20],
  ['bidder', true, 3],
  ['ladder', false, 25],
  ['ladder', true, 2.5],
] as const)('%s (quick: %s) ends within %d minutes by its steps', (name, quick, minutes) => {
  const options = makeOptions(ownSuite(name).defaults({ quick }));
  const bidders = quick ? QUICK : BIDDERS;
  const targets = name === 'bidder' ? bidders : selectedOf(name, { quick }, join(WORKLOADS, name));
  const machine = makeMachine({ memoryAvailableBytes: 64e9 });
  const suite = ownSuite(name, { quick });
  const plan = planWith(options, { ...OWN[name], suite, targets, machine });
  const sliceS = (plan.loads[0]?.sliceNs ?? 0) / 1e9;
  const warmupS = SETTLING_SHARE * options.warmupS;
  const seconds = stepsOfPlan(plan).reduce((sum, step) => {
    if (step.kind === 'start') return sum + START_S * step.servers.length;
    if (step.kind === 'warm-up') return sum + warmupS;
    if (step.kind !== 'slices') return sum + 1;
    // Interleaved servers warm up in their slices.
    const besideS = step.cells.length > 1 ? warmupS : 1;
    return sum + step.cells.length * (sliceS + besideS);
  }, 0);
  expect(seconds / 60).toBeLessThan(minutes);
  expect(seconds / 60).toBeGreaterThan(minutes / 4);
});

const COPIES = perLimit(boardTargets(['elysia', 'fiber', 'fiber-prepared']), [0.5]);

test.each<[Selector, string[]]>([
  [{ names: ['fiber-home'] }, ['fiber-home']],
  [{ variantsOf: ['fiber-latest'] }, ['fiber-prepared-latest']],
  [{ scale: 'threads', variants: false }, ['fiber-home', 'fiber-latest']],
])('%j selects %j, also among copies under a CPU limit', (selector, selected) => {
  const names = COPIES.filter((target) => isSelected(target, selector)).map(({ name }) => name);
  expect(names).toEqual(selected.map((name) => `${name}@cpu-0.5`));
});

const PILOTS = [
  { kind: 'capacity', server: 'a/single', perS: 100 },
  { kind: 'singleRequest', server: 'a/single', cpuNs: 1e6 },
] as const;

property(
  'a declaration is refused with its problem, or makes loads that a plan can have',
  fc.oneof(...ownWorkloads().map(({ workload }) => mutated(workload))),
  (declared) => {
    const workload = unless(UserError, () => workloadIn('workload.json', declared));
    if (workload === undefined) return;
    const isByBusy = JSON.stringify(workload.loads).includes('busyAtMost');
    const pilot = PILOTS[isByBusy ? 1 : 0];
    const [options, machine] = [makeOptions(OWN.board.options), makeMachine()];
    const topologies = resolveTopologies(options.topologies, machine);
    for (const { load } of loadsOf(workload, { options, topologies, machine, pilot })) {
      expect(loadSchema.parse(load)).toEqual(load);
    }
  },
);
