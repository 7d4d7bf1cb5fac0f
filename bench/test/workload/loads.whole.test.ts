/** What the declarations of this repository come to: their loads, pilots and targets. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { WORKLOADS } from '../../src/base/places.ts';
import { loadSchema, type PilotResult } from '../../src/plan/loads.ts';
import { makePilotPlan, makePlan } from '../../src/plan/make-plan.ts';
import { cellOf, loadOf, type Plan } from '../../src/plan/plan.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import { stepsOfPlan } from '../../src/run/steps.ts';
import { bridgeGaps } from '../../src/targets/layers.ts';
import { type LocalTarget, servicesOf } from '../../src/targets/targets.ts';
import { isSelected } from '../../src/workload/select.ts';
import { runAsked } from '../support/ask.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { BIDDERS } from '../support/make-bidder-record.ts';
import { boardTargets } from '../support/make-board-record.ts';
import { imageTargets } from '../support/make-image-record.ts';
import { LADDER } from '../support/make-ladder-record.ts';
import { makeMachine, makeOptions } from '../support/make-record.ts';
import { ownSuite, ownWorkload } from '../support/own-workloads.ts';

interface Own {
  targets: LocalTarget[];
  options: Partial<RunOptions>;
  pilot: PilotResult;
}
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
    pilot: { kind: 'none' },
  },
  image: {
    targets: imageTargets(),
    options: { ...SINGLE, connections: 4 },
    pilot: { kind: 'capacity', server: 'go-nfnt/single', perS: 4.04 },
  },
  ladder: {
    targets: LADDER,
    options: { ...SINGLE, connections: 50, pipelining: 4 },
    pilot: { kind: 'none' },
  },
} satisfies Record<string, Own>;
type Name = keyof typeof OWN;

function planOf(name: Name, parts: Partial<RunOptions> = {}, own: Partial<Own> = {}): Plan {
  const { targets, options, pilot }: Own = { ...OWN[name], ...own };
  const asked = makeOptions({ ...options, ...parts });
  return makePlan(ownSuite(name), asked, targets, makeMachine(), { pilot });
}

/** The targets that a load is put on in a topology. */
function on(plan: Plan, load: string, topology = 'single'): string[] {
  const cells = plan.cells.filter((cell) => cell.load === load && cell.topology === topology);
  return cells.map(({ target }) => target);
}

const MAINS = ['fastify', 'gin', 'nest'];
const isQuick = (target: LocalTarget) => isSelected(target, ownWorkload('bidder').quick.targets);
const UNBROKEN = { contiguous: true, durationS: 300, launches: 1 };
const levels = (...all: number[]) => {
  return ['home', 'latest'].flatMap((path) => all.map((n) => `${path}-${n}`));
};

describe('the loads', () => {
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
  ])('of %s with %j are %j', (name, parts, ids) => {
    const { loads } = planOf(name, parts);
    expect(loads.map(({ id }) => id)).toEqual(ids);
    for (const load of loads) expect(loadSchema.parse(load)).toEqual(load);
  });

  test.each<[Name, string, Partial<RunOptions>, object]>([
    [
      'board',
      'home-50',
      {},
      { connections: 50, pipelining: 1, headline: 'cpu', waitForAll: false },
    ],
    // The database answers all before it first.
    ['board', 'latest-10', {}, { waitForAll: true, drainBetweenSlices: true, timeoutNs: 10e9 }],
    ['board', 'latest-100', {}, { timeoutNs: 50e9 }],
    ['image', 'limit', {}, { connections: 4, waitForAll: true, timeoutNs: 120e9, blocks: 1 }],
    ['image', 'limit', { durationS: 12, sliceS: 3, launches: 4 }, { sliceNs: 3e9, blocks: 2 }],
    ['image', 'limit', { contiguous: true }, { method: 'contiguous', blocks: 1 }],
    ['image', 'served', {}, { kind: 'open', ratePerS: 2.4 }],
    ['image', 'overloaded', {}, { kind: 'open', ratePerS: 8.1 }],
    [
      ...(['image', 'burst', { durationS: 12, sliceS: 3, launches: 4 }] as const),
      { kind: 'open', ratePerS: 24, sliceNs: 10e9 },
    ],
    ['bidder', 'rate-500', UNBROKEN, { method: 'contiguous', sliceNs: 300e9 }],
    ['bidder', 'quiet', { driver: 'k6' }, { ratePerS: 220, driver: 'pacer' }],
    ['bidder', 'rate-500', { driver: 'k6' }, { ratePerS: 500, driver: 'k6' }],
    // Three rounds in one slice, which has room for seven turns and a half.
    [
      ...(['ladder', 'cost', { durationS: 7.5, sliceS: 0.5, launches: 5 }] as const),
      {
        headline: 'cpu',
        saturates: true,
        minLoopTurnNs: 2e6,
        sliceNs: 1.5e9,
        everyNthRound: 3,
        blocks: 8,
      },
    ],
    // Connections rest for longer than any block takes.
    ['ladder', 'cost', {}, { connections: 50, pipelining: 4, timeoutNs: 60e9 }],
    ['ladder', 'cost', UNBROKEN, { method: 'contiguous', blocks: 1 }],
  ])('%s %s with %j is %j', (name, id, parts, load) => {
    expect(loadOf(planOf(name, parts), id)).toMatchObject(load);
  });

  test.each([
    [0.1e6, 2200],
    [50e6, 4],
    [1e9, 1],
  ])('are as quiet as a server wants that takes %d ns: %d requests/s', (cpuNs, ratePerS) => {
    const pilot = { kind: 'singleRequest', server: 'gin/single', cpuNs } as const;
    expect(planOf('bidder', {}, { pilot }).loads[0]).toMatchObject({ ratePerS });
  });

  test('as published are the literal one, after the literal warm-up', () => {
    const { loads, warmup, launches } = planOf(
      'bidder',
      runAsked('bidder', '--as-published').options,
    );
    const driver = 'k6';
    expect(warmup).toEqual({ kind: 'paced', ns: 5e9, driver, ratePerS: 100, connections: 50 });
    expect(loads).toMatchObject([
      { id: 'rate-500', method: 'contiguous', sliceNs: 300e9, driver, connections: 500 },
    ]);
    expect(launches).toHaveLength(1);
  });

  test('share the time between them', () => {
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
  ])('of %s can be none without what they are derived from', (name, message) => {
    expect(() => planOf(name, {}, { pilot: { kind: 'none' } })).toThrow(message);
  });
});

describe('who is measured under which load', () => {
  const MAX = String(makeMachine().parallelism);
  const latest = (...names: string[]) => names.map((name) => `${name}-latest`);

  test.each<[Name, string, string, string[]]>([
    ['bidder', 'quiet', 'single', BIDDERS.map(({ name }) => name).toSorted()],
    ['bidder', 'rate-500', 'single', MAINS],
    ['bidder', 'limit', 'single', MAINS],
    ['bidder', 'rate-500', 'pmx:2', ['nest', 'nest-random', 'nest-repeated']],
    ['bidder', 'rate-500', '2', ['fastify', 'gin', 'gin-random', 'gin-repeated', 'nest']],
    ['bidder', 'quiet', '2', []],
    [
      'board',
      'home-10',
      'single',
      [
        ...['elysia-2024-home', 'elysia-home', 'elysia-static-home'],
        ...['fiber-2024-home', 'fiber-home', 'net-http-home'],
      ],
    ],
    ['board', 'home-10', MAX, ['fiber-2024-home', 'fiber-home']],
    ['board', 'latest-10', MAX, latest('fiber-2024', 'fiber-published', 'net-http-2024')],
    // More connections have what was published alone.
    ['board', 'latest-50', 'single', latest('elysia-2024')],
    ['board', 'latest-50', MAX, latest('fiber-2024', 'net-http-2024')],
  ])('%s, %s, on %s: %j', (name, load, topology, targets) => {
    expect(on(planOf(name), load, topology).toSorted()).toEqual(targets);
  });

  test('where there are single processes alone is what was published too', () => {
    expect(on(planOf('board', SINGLE), 'latest-100')).toContain('fiber-2024-latest');
  });

  test('are no variants, but at the limit, of the image', () => {
    const { cells } = planOf('image');
    const own = cells.filter(({ target }) => target === 'go-vips-shrink-on-load');
    expect(own.map(({ load }) => load)).toEqual(['limit']);
  });

  test('is on no processes that another number of connections has been on', () => {
    const plan = planOf('board');
    const loads = plan.groups.map((cells) => new Set(cells.map((id) => cellOf(plan, id).load)));
    expect(loads.map(({ size }) => size)).toEqual(plan.loads.map(() => 1));
  });

  test('are the same layers of all frameworks at a time, where memory is short', () => {
    // Room for six servers, and what is beside them.
    const machine = makeMachine({ memoryAvailableBytes: 1.95e9 / 0.75 });
    const options = makeOptions(OWN.ladder.options);
    const { groups } = makePlan(ownSuite('ladder'), options, bridgeGaps(LADDER, LADDER), machine);
    const frameworks = ['express', 'floor', 'nest'];
    expect(groups[0]?.map((id) => id.split('/')[0])).toEqual([
      ...[...frameworks, ...frameworks.map((name) => `${name}-json`)],
    ]);
  });
});

describe('the pilot', () => {
  const pilotOf = (parts: Partial<RunOptions>, targets = BIDDERS) => {
    const options = makeOptions({ ...OWN.bidder.options, ...parts });
    return makePilotPlan(ownSuite('bidder'), options, targets, makeMachine());
  };

  test('asks every server that a derived load is put on, as a single process', () => {
    const plan = pilotOf({});
    expect(plan?.loads).toMatchObject([{ kind: 'open', ratePerS: 100, saturates: false }]);
    expect(plan && on(plan, 'pilot')).toEqual(BIDDERS.map(({ name }) => name));
    const short = pilotOf({}, BIDDERS.filter(isQuick));
    expect(short && on(short, 'pilot').toSorted()).toEqual([
      'gin',
      'gin-repeated',
      'nest',
      'nest-repeated',
    ]);
  });

  test('is none where there is no such load', () => {
    expect(pilotOf({ contiguous: true })).toBeNull();
    expect(pilotOf({ topologies: [2] })).toBeNull();
  });
});

describe('the targets', () => {
  const namesOf = (name: Name, given: { quick?: boolean; targets?: string[] }) => {
    const asked = { given, packages: join(FIXTURES, name), options: makeOptions() };
    return ownSuite(name)
      .subjects(asked)
      .targets.map((target) => target.name);
  };

  test('are one for each request where they are split by it', () => {
    expect(namesOf('board', {})).toEqual([
      ...['elysia-home', 'elysia-latest', 'elysia-n-plus-one-latest', 'elysia-static-home'],
      ...['elysia-published-latest', 'fiber-home', 'fiber-latest', 'fiber-n-plus-one-latest'],
      ...['fiber-prepared-latest', 'fiber-published-latest', 'net-http-home', 'net-http-latest'],
    ]);
  });

  test.each<[Name, string[] | null, string[]]>([
    ['image', null, ['go-nfnt', 'go-vips', 'php-imagick', 'sharp']],
    ['image', ['go-vips-progressive'], ['go-vips-progressive']],
    ['board', ['net-http'], ['net-http-home', 'net-http-latest']],
  ])('of %s --quick, of which %j are named, are %j', (name, targets, names) => {
    expect(namesOf(name, { quick: true, ...(targets && { targets }) })).toEqual(names);
  });

  test('are the usual ones where none are named', () => {
    expect(namesOf('image', {})).toEqual(['go-nfnt', 'go-vips', 'php-imagick', 'sharp']);
    expect(namesOf('image', { targets: ['all'] })).toContain('go-vips-progressive');
  });

  test('that are quick have their bases below, where those between are left out', () => {
    const asked = { given: { quick: true }, options: makeOptions() };
    const { targets } = ownSuite('ladder').subjects({
      ...asked,
      packages: join(WORKLOADS, 'ladder'),
    });
    const over = new Map(targets.map(({ name, variantOf }) => [name, variantOf]));
    expect([...over.keys()]).toHaveLength(10);
    for (const [name, base] of [
      ['express', null],
      ['express-body', 'express'],
      ['nest-fastify-body', 'nest-fastify'],
    ] as const) {
      expect(over.get(name)).toBe(base);
    }
    expect(targets.flatMap(servicesOf)).toEqual([]);
  });
});

/** Starting that many servers, at the most. */
const START_S = 45;
/** Warm-ups end before their cap: in a run of 192 starts at 0.43 of it in the mean. */
const SETTLING_SHARE = 0.7;

test.each([
  { quick: false, minutes: 15 },
  { quick: true, minutes: 3 },
])('the bidder (quick: $quick) ends within $minutes minutes by its steps', ({ quick, minutes }) => {
  const options = makeOptions({ ...ownSuite('bidder').defaults({ quick }) });
  const targets = quick ? BIDDERS.filter(isQuick) : BIDDERS;
  const plan = planOf('bidder', options, { targets });
  const seconds = stepsOfPlan(plan).reduce((sum, step) => {
    if (step.kind === 'warm-up') return sum + SETTLING_SHARE * options.warmupS;
    if (step.kind !== 'slices') return sum + 1;
    return sum + step.cells.length * (1 + (plan.loads[0]?.sliceNs ?? 0) / 1e9);
  }, 0);
  expect(seconds / 60).toBeLessThan(minutes);
  expect(seconds / 60).toBeGreaterThan(minutes / 4);
});

test.each([
  { quick: false, minutes: 25 },
  { quick: true, minutes: 2.5 },
])('the ladder (quick: $quick) ends within $minutes minutes by its steps', ({ quick, minutes }) => {
  const suite = ownSuite('ladder');
  const options = makeOptions({ ...suite.defaults({ quick }) });
  const packages = join(WORKLOADS, 'ladder');
  const { targets } = suite.subjects({ given: { quick }, packages, options });
  const plan = makePlan(suite, options, targets, makeMachine({ memoryAvailableBytes: 64e9 }));
  const sliceS = (plan.loads[0]?.sliceNs ?? 0) / 1e9;
  const seconds = stepsOfPlan(plan).reduce((sum, step) => {
    if (step.kind === 'start') return sum + (START_S * targets.length) / 48;
    if (step.kind !== 'slices') return sum + 1;
    return sum + step.cells.length * (sliceS + SETTLING_SHARE * options.warmupS);
  }, 0);
  expect(seconds / 60).toBeLessThan(minutes);
  expect(seconds / 60).toBeGreaterThan(minutes / 4);
});
