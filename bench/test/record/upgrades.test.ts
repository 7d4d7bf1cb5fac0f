import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { loadOf } from '../../src/plan/plan.ts';
import { type RunRecord, readRecord, recordSchema } from '../../src/record/record.ts';
import { RUN_UPGRADES } from '../../src/record/upgrades.ts';

/** Records as they were saved then, cut down to a few slices. */
const SAVED = join(import.meta.dirname, 'saved');
/** The records behind the docs. */
const RUNS = join(import.meta.dirname, '../../../docs/runs');

const pathOf = (version: number) => join(SAVED, `version-${version}.json`);

const loose = z.looseObject({
  plan: z.looseObject({
    suite: z.string().optional(),
    loads: z.array(z.looseObject({})),
    topologies: z.array(z.looseObject({})),
    launches: z.array(z.array(z.looseObject({}))),
  }),
  slices: z.array(z.looseObject({ measurement: z.looseObject({}) })),
});
type Loose = z.infer<typeof loose>;

function saved(version: number): Loose {
  return loose.parse(JSON.parse(readFileSync(pathOf(version), 'utf8')));
}

/** What a step makes of a record. */
function stepped(version: number, record: unknown = saved(version)): Loose {
  const step = RUN_UPGRADES[version];
  if (step === undefined) throw new Error(`there is no step from version ${version}`);
  return loose.parse(step(record));
}

/** A record of version 3 as it is now. */
function upgraded(record: Loose): RunRecord {
  return recordSchema.parse(stepped(6, stepped(5, stepped(4, stepped(3, record)))));
}

test.each([1, 2, 3, 4, 5, 6])('a record of version %d can be read', (version) => {
  const record = readRecord(pathOf(version));
  expect(record).toMatchObject({ version: 7, state: 'complete', warmups: [] });
  expect(record.slices.map(({ cell }) => cell)).toEqual(
    saved(version).slices.map(({ cell }) => cell),
  );
  expect(record.slices.length).toBeGreaterThan(1);
});

test('each step leads to the next version', () => {
  expect(Object.keys(RUN_UPGRADES)).toEqual(['1', '2', '3', '4', '5', '6']);
  for (const version of [1, 2, 3, 4, 5, 6]) {
    expect(stepped(version)).toMatchObject({ version: version + 1 });
  }
});

test.each([1, 2, 3, 4, 5, 6])('a step refuses what is no record of its version: %d', (version) => {
  expect(() => stepped(version, { plan: {}, slices: [] })).toThrow(z.ZodError);
});

const runs = readdirSync(RUNS, { recursive: true, encoding: 'utf8' }).filter((name) => {
  return /\.json$/.test(name) && !/^(methods|price)\.json$/.test(name);
});

test.each(runs)('the record behind the docs can be read: %s', (name) => {
  const { version, slices } = readRecord(join(RUNS, name));
  expect(version).toBe(7);
  expect(slices.length).toBeGreaterThan(1);
});

describe('the step from version 1', () => {
  const record = stepped(1);

  test('adds what the plan came to', () => {
    expect(record.plan).toMatchObject({
      groups: [['fib-cpu/single/published'], ['fib-cpu/2/published']],
      ...{ rounds: 1, probes: [], equivalence: 0.02, until: null },
    });
    for (const { spareCores } of record.plan.topologies) expect(spareCores).toEqual([]);
  });

  test('lists groups as the plan lists their cells, in whatever order they came', () => {
    const { plan, ...rest } = saved(1);
    const launches = plan.launches.map((groups) => groups.toReversed());
    const turned = stepped(1, { ...rest, plan: { ...plan, launches } });
    expect(turned.plan.groups).toEqual(record.plan.groups);
  });

  test('says that nobody looked, and that one generator was all', () => {
    for (const { handler, measurement } of record.slices) {
      expect(handler).toBeNull();
      expect(measurement).toMatchObject({ generators: 1, halfway: null });
      expect(measurement.system).toMatchObject({ throttledNs: 0 });
    }
  });

  test('leaves out the system where there was none', () => {
    const { slices, ...rest } = saved(1);
    const without = slices.map(({ measurement, ...slice }) => {
      return { ...slice, measurement: { ...measurement, system: null } };
    });
    const [slice] = stepped(1, { ...rest, slices: without }).slices;
    expect(slice?.measurement.system).toBeNull();
  });
});

describe('the step from version 2', () => {
  const record = stepped(2);

  test('has every load put on as the whole run was', () => {
    const timing = { method: 'sliced', sliceNs: 833333333, timeoutNs: 10e9 };
    expect(record.plan.loads).toEqual([
      { kind: 'closed', id: 'published', connections: 1000, pipelining: 1, ...timing },
      { kind: 'closed', id: 'cost', connections: 100, pipelining: 10, ...timing },
    ]);
    expect(record.plan).toMatchObject({ basis: { kind: 'none' } });
    expect(record.plan).not.toHaveProperty('method');
    expect(record.plan).not.toHaveProperty('sliceNs');
  });

  test('names who kept the processes, pm2 where there were several', () => {
    const [single] = record.plan.topologies;
    expect(single).toMatchObject({ manager: 'none', processes: 1 });
    expect(single).not.toHaveProperty('workers');
    expect(stepped(2, stepped(1)).plan.topologies).toMatchObject([
      { id: 'single', manager: 'none', processes: 1 },
      { id: '2', manager: 'pm2', processes: 2 },
    ]);
  });

  test('says that nobody looked how long requests waited, or second by second', () => {
    for (const { measurement } of record.slices) {
      expect(measurement).toMatchObject({ agesHistograms: null, pace: null, series: [] });
    }
  });

  test('tells how long a generator was idle by its empty turns, where nobody had looked', () => {
    const turnsOf = (turns: object) => {
      const { slices, ...rest } = saved(2);
      const changed = slices.map(({ measurement, ...slice }) => {
        return { ...slice, measurement: { ...measurement, turns } };
      });
      return stepped(2, { ...rest, slices: changed }).slices[0]?.measurement.turns;
    };
    expect(turnsOf({ all: 900, empty: 500 })).toEqual({ all: 900, empty: 500, idleNs: 390_000 });
    const looked = { all: 900, empty: 500, idleNs: 7 };
    expect(turnsOf(looked)).toEqual(looked);
  });
});

describe('the step from version 4', () => {
  const record = readRecord(pathOf(4));

  test('says that nobody looked for peaks of memory', () => {
    expect(record.slices.map(({ measurement }) => measurement.peak)).toEqual([
      null,
      null,
      null,
      null,
    ]);
    const services = record.slices.flatMap(({ measurement }) =>
      Object.entries(measurement.services),
    );
    expect(new Set(services.map(([name]) => name))).toEqual(new Set(['redis', 'mariadb']));
    for (const [, used] of services) expect(used).toMatchObject({ peakBytes: null });
  });

  test('takes the services of a slice as they are, where it has some', () => {
    const { slices, ...rest } = saved(4);
    const without = slices.map(({ measurement: { services: _, ...measured }, ...slice }) => {
      return { ...slice, measurement: measured };
    });
    const [slice] = stepped(4, { ...rest, slices: without }).slices;
    expect(slice?.measurement).toMatchObject({ services: {}, peak: null });
  });

  test('has slices of closed loops that begin as they did', () => {
    for (const load of record.plan.loads) expect(load).toMatchObject({ fromIdle: false });
    const { plan, ...rest } = saved(4);
    const open = { ...rest, plan: { ...plan, loads: [{ kind: 'open' }] } };
    expect(stepped(4, open).plan.loads).toEqual([{ kind: 'open' }]);
  });
});

describe('the step from version 6', () => {
  const record = readRecord(pathOf(6));
  /** A record of version 6 with one slice, of these facts, under this load. */
  const ofOne = (measured: object, load: object = { kind: 'closed' }) => {
    const { plan, slices, ...rest } = saved(6);
    const [slice] = slices;
    if (slice === undefined) throw new Error('nothing was saved');
    const { pieces: _, ...measurement } = slice.measurement;
    const one = { ...slice, measurement: { ...measurement, ...measured } };
    return stepped(6, { ...rest, plan: { ...plan, loads: [load] }, slices: [one] });
  };
  const window = { ok: 70, wrongStatus: 20, wrongBody: 10 };
  const cpu = { server: { cpuNs: 5e6, waitNs: 0 } };

  test('has pieces as blocks, which are charged with what was used in them', () => {
    const pieces = [
      { cpuNs: 2e6, answers: 60 },
      { cpuNs: 3e6, answers: 40 },
    ];
    const [slice] = ofOne({ window, cpu, windowNs: 8e6, pieces }).slices;
    expect(slice?.measurement.blocks).toEqual([
      { cpuNs: 2e6, answers: 60, chargedNs: 2e6, ns: 4e6 },
      { cpuNs: 3e6, answers: 40, chargedNs: 3e6, ns: 4e6 },
    ]);
    expect(slice?.measurement).not.toHaveProperty('pieces');
  });

  test.each([
    ['without', {}],
    ['with no', { pieces: [] }],
  ])('has a slice %s pieces as one block of its window', (_, pieces) => {
    const [slice] = ofOne({ window, cpu, windowNs: 8e6, ...pieces }).slices;
    expect(slice?.measurement.blocks).toEqual([
      { cpuNs: 5e6, answers: 100, chargedNs: 5e6, ns: 8e6 },
    ]);
  });

  test('says that nobody looked what servers use idle, whether they were quiet, or disturbed', () => {
    expect(record.idle).toEqual([]);
    for (const { measurement } of record.slices) {
      expect(measurement).toMatchObject({
        leadIn: { blocks: 0, hasSettled: null },
        ...{ disturbed: [], idleNsPerS: 0, isQuiet: null },
      });
    }
  });

  test('keeps all that was saved of each piece', () => {
    const pieces = saved(6).slices.map(({ measurement }) => measurement.pieces);
    const blocks = record.slices.map(({ measurement }) => {
      return measurement.blocks.map(({ cpuNs, answers }) => ({ cpuNs, answers }));
    });
    expect(blocks).toEqual(pieces);
    expect(blocks.flat()).toHaveLength(3 * 12);
  });

  test('has the blocks of a load for its pieces, and one where it had none', () => {
    const loadsOf = (load: object) => ofOne({ window, cpu, windowNs: 8e6 }, load).plan.loads;
    expect(loadsOf({ kind: 'closed', pieces: 21 })).toEqual([{ kind: 'closed', blocks: 21 }]);
    expect(loadsOf({ kind: 'closed' })).toEqual([{ kind: 'closed', blocks: 1 }]);
    expect(loadsOf({ kind: 'open' })).toEqual([{ kind: 'open' }]);
    expect(record.plan.loads).toMatchObject([{ id: 'cost', blocks: 12 }]);
    expect(record.plan).not.toHaveProperty('rehearsed');
  });
});

describe('the step from version 3', () => {
  test('names the kind of run beside the plan', () => {
    const record = upgraded(saved(3));
    expect(record.suite).toBe('truth');
    expect(record.plan).not.toHaveProperty('suite');
    const { plan, ...rest } = saved(3);
    const open = {
      ...{ kind: 'open', id: 'cost', driver: 'pacer', ratePerS: 500, connections: 1000 },
      ...{ method: 'sliced', sliceNs: 5e9, timeoutNs: 10e9 },
    };
    const rates = upgraded({ ...rest, plan: { ...plan, suite: 'frameworks', loads: [open] } });
    expect(rates.suite).toBe('rates');
    expect(loadOf(rates.plan, 'cost')).toEqual({
      ...{ ...open, headline: 'cpu', saturates: false, every: 1 },
    });
  });

  test.each([
    { id: 'published', words: 'under the published load', saturates: true, patient: false },
    { id: 'custom', words: 'under the custom load', saturates: true, patient: false },
    { id: 'overload', words: 'under the overload', saturates: true, patient: false },
    { id: 'feasible', words: 'under the feasible load', saturates: true, patient: true },
    { id: 'alone', words: 'with one request at a time', saturates: false, patient: true },
    { id: 'capacity', words: 'at their limit', saturates: true, patient: true },
  ])('has loads state what their names stood for: $id', ({ id, ...facts }) => {
    const { plan, ...rest } = saved(3);
    const loads = [...plan.loads, { ...plan.loads[0], id }];
    const record = upgraded({ ...rest, plan: { ...plan, loads } });
    const usual = { headline: 'throughput', turnNs: 0, every: 1 };
    expect(loadOf(record.plan, id)).toMatchObject({ ...usual, ...facts });
    const cost = { headline: 'cpu', turnNs: 2e6, saturates: true, patient: false, every: 1 };
    expect(loadOf(record.plan, 'cost')).toMatchObject({ ...cost, words: 'under the cost load' });
  });

  test('has cells as they are, and servers that were warmed up for a time', () => {
    const { plan } = upgraded(saved(3));
    for (const { arrangement } of [...plan.cells, ...plan.probes]) {
      expect(arrangement).toBe('standard');
    }
    for (const group of plan.launches.flat()) {
      expect(group).toMatchObject({ idle: [], unverified: [] });
    }
    expect(plan.warmup).toEqual({ kind: 'timed', ns: 450e6 });
    const { plan: before, ...rest } = saved(3);
    const cold = upgraded({ ...rest, plan: { ...before, warmupNs: 0 } });
    expect(cold.plan.warmup).toEqual({ kind: 'none' });
  });

  test('knows that frameworks came in their order where nothing was sliced', () => {
    const orderOf = (suite: string, method: string) => {
      const { plan, ...rest } = saved(3);
      const loads = plan.loads.map((load) => ({ ...load, method }));
      return upgraded({ ...rest, plan: { ...plan, suite, loads } }).plan.groupOrder;
    };
    expect(orderOf('frameworks', 'contiguous')).toBe('listed');
    expect(orderOf('frameworks', 'sliced')).toBe('drawn');
    expect(orderOf('cluster', 'contiguous')).toBe('drawn');
  });

  describe('of a truth run', () => {
    const TIMED = { medianNs: 982.0000013860408, meanNs: 996.2559542568581, gcNs: null };
    const handlerIn = (record: RunRecord, name: string, launch: number) => {
      return record.slices.find((slice) => {
        return slice.cell === `${name}/single/cost` && slice.launch === launch;
      })?.handler;
    };

    test('gives a server that spun the clock of the probe in its launch', () => {
      const record = upgraded(saved(3));
      expect(handlerIn(record, 'timed-1', 0)).toEqual(TIMED);
      expect(handlerIn(record, 'spin-1', 0)).toEqual(TIMED);
    });

    test('gives it none where the probe was lost, and the twins none', () => {
      const record = upgraded(saved(3));
      expect(handlerIn(record, 'spin-1', 1)).toBeNull();
      for (const launch of [0, 1]) expect(handlerIn(record, 'twin-a', launch)).toBeNull();
    });

    test('gives no clock to servers of other runs', () => {
      const { plan, ...rest } = saved(3);
      const record = upgraded({ ...rest, plan: { ...plan, suite: 'frameworks' } });
      expect(handlerIn(record, 'spin-1', 0)).toBeNull();
    });
  });
});
