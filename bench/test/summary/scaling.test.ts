import { describe, expect, test } from 'vitest';
import type { Failure, RunRecord } from '../../src/record/record.ts';
import { ratesOf } from '../../src/suites/rates.ts';
import { queueIn, type Scaling, type TargetScaling } from '../../src/summary/scaling.ts';
import { CLUSTER_OF_2 } from '../support/fixtures.ts';
import { makeClusterRecord, SERVICE_MS } from '../support/make-cluster-record.ts';
import {
  type Happened,
  makeLoad,
  makeMachine,
  makeRecord,
  makeTarget,
  type Story,
} from '../support/make-record.ts';
import { summariesOf } from '../support/summaries.ts';

function scalingOf(record: RunRecord): Scaling {
  const { scaling } = summariesOf(record);
  if (scaling === null) throw new Error('the record has no feasible load');
  return scaling;
}

/** What there is of the first target. */
function targetOf(record: RunRecord): TargetScaling {
  const [target] = scalingOf(record).targets;
  if (target === undefined) throw new Error('the record has no target');
  return target;
}

const near = (value: number, digits = 6) => {
  const close = expect.closeTo(value, digits);
  return { kind: 'interval', value: close, low: close, high: close };
};

/** Requests/s of the topologies on four cores: 97 % of what is predicted. */
const SPEEDS: Record<string, number> = { single: 9.7, '2': 19.4, '4': 38.8, '8': 38.8 };
const WINDOW_S = 10;

/** Of a window of 10 s with so many answers a second and so many requests under way. */
function answering(perS: number, underWay = 16): Happened {
  // By Little's law.
  const latenciesMs = [(underWay * 1000) / perS];
  const sleeping = { all: 0, empty: 0, idleNs: 0 };
  const ok = Math.round(perS * WINDOW_S);
  return { ok, windowS: WINDOW_S, latenciesMs, cpuUsPerResponse: 99_000, turns: sleeping };
}

/** Of a window of 10 s with one request at a time. */
function alone(ms = SERVICE_MS, cpuShare = 0.95): Happened {
  const ok = Math.round((WINDOW_S * 1000) / ms);
  const cpuUsPerResponse = cpuShare * ms * 1000;
  return { ok, windowS: WINDOW_S, latenciesMs: [ms], cpuUsPerResponse };
}

/** Requests that keep the CPU busy, and topologies that come near their bounds. */
const bound: Story = ({ topology, load }) => {
  if (load === 'overload') return null;
  return load === 'alone' ? alone() : answering(SPEEDS[topology] ?? 0);
};

describe('the service time', () => {
  test('is what a request takes alone, where that is CPU time', () => {
    const { service } = targetOf(makeClusterRecord(bound));
    expect(service).toMatchObject({ from: 'alone', busyShare: expect.closeTo(0.95, 3) });
    expect(service.ns).toEqual(near(SERVICE_MS * 1e6, -5));
  });

  test.each([
    { cpuShare: 0.82, from: 'alone' },
    { cpuShare: 0.78, from: 'under load' },
  ])('comes from $from where a request alone is on the CPU for $cpuShare of the time', (given) => {
    const record = makeClusterRecord((cell, ...when) => {
      return cell.load === 'alone' ? alone(SERVICE_MS, given.cpuShare) : bound(cell, ...when);
    });
    expect(targetOf(record).service.from).toBe(given.from);
  });

  test('is the CPU time of the plain process under load, where requests alone wait', () => {
    const record = makeClusterRecord(
      (cell, ...when) => {
        if (cell.load === 'alone') return alone(1, 0.05);
        const cpuUsPerResponse = cell.topology === 'single' ? 60 : 75;
        return { ...bound(cell, ...when), cpuUsPerResponse };
      },
      { topologies: [2, 'single'] },
    );
    const { service } = targetOf(record);
    expect(service).toMatchObject({ from: 'under load', busyShare: expect.closeTo(0.05, 3) });
    expect(service.ns).toEqual(near(60_000));
  });

  test('comes from under load where nothing was measured alone', () => {
    const record = makeClusterRecord((cell, ...when) => {
      return cell.load === 'alone' ? null : bound(cell, ...when);
    });
    const { service } = targetOf(record);
    expect(service).toMatchObject({ from: 'under load', busyShare: null, ns: near(99e6) });
  });

  test('is each target’s own', () => {
    const targets = [makeTarget('fib'), makeTarget('hello')];
    const record = makeClusterRecord(
      (cell, ...when) => {
        if (cell.load !== 'alone') return bound(cell, ...when);
        return cell.target === 'fib' ? alone() : alone(20);
      },
      { targets },
    );
    const found = scalingOf(record).targets.map(({ target, service }) => [target.name, service.ns]);
    expect(found).toEqual([
      ['fib', near(100e6, -5)],
      ['hello', near(20e6, -5)],
    ]);
  });
});

describe('what is predicted', () => {
  test('goes by the CPU limit where that is less than the cores', () => {
    const machine = makeMachine({ parallelism: 2 });
    const servers = (cpuLimit: number | null) => {
      const cell = { target: makeTarget('app', { cpuLimit }), topology: CLUSTER_OF_2 };
      return queueIn({ machine }, { ...cell, load: makeLoad() }, 1).servers;
    };
    expect([null, 0.5, 1.5, 8].map(servers)).toEqual([2, 0.5, 1.5, 2]);
  });

  test('is a closed queue at as many servers as there are processes and cores', () => {
    const record = makeClusterRecord(bound, { topologies: ['single', 2, 4, 8] });
    const { load, cores, targets } = scalingOf(record);
    expect(load).toMatchObject({ id: 'feasible', connections: 32, pipelining: 1 });
    expect(cores).toBe(4);
    const predicted = targets[0]?.steps.map((step) => [step.topology.id, step.predicted]);
    const bounds = (perS: number, ms: number) => {
      return { throughput: expect.closeTo(perS, 1), responseNs: expect.closeTo(ms * 1e6, -7) };
    };
    expect(predicted).toEqual([
      ['single', bounds(10, 3200)],
      ['2', bounds(20, 1600)],
      ['4', bounds(40, 800)],
      ['8', bounds(40, 800)],
    ]);
  });

  test('is nothing where there is no service time', () => {
    const story: Story = (cell, ...when) =>
      cell.topology === 'single' ? null : bound(cell, ...when);
    const { service, steps } = targetOf(makeClusterRecord(story));
    expect(service).toMatchObject({ busyShare: null, ns: { kind: 'none' } });
    for (const { predicted, reached } of steps) {
      expect(predicted).toBeNull();
      expect(reached).toEqual({ kind: 'none' });
    }
  });
});

describe('the share of the prediction that is reached', () => {
  test('is that of the throughput, in every topology', () => {
    const { steps } = targetOf(makeClusterRecord(bound));
    expect(steps.map(({ reached }) => reached)).toEqual([1, 2, 3].map(() => near(0.97, 2)));
  });

  test('is read within launches, in which the machine treats both alike', () => {
    /** Twice as fast in every other launch. */
    const story: Story = (cell, launch) => {
      const pace = 1 + (launch % 2);
      if (cell.load === 'overload') return null;
      if (cell.load === 'alone') return alone(SERVICE_MS / pace);
      return answering(pace * 9 * (cell.topology === 'single' ? 1 : 2));
    };
    const { service, steps } = targetOf(
      makeClusterRecord(story, {
        topologies: ['single', 2],
        options: { launches: 4 },
      }),
    );
    // Of means over all launches it would be 13.5 / s × 75 ms = 1.01.
    expect(service.ns).toMatchObject({ value: expect.closeTo(75e6, -5) });
    expect(steps.map(({ reached }) => reached)).toEqual([near(0.9, 3), near(0.9, 3)]);
  });

  test('is that of all rounds of a launch together', () => {
    /** Half as fast in every other round. */
    const story: Story = (cell, _launch, round) => {
      const pace = 1 / (1 + (round % 2));
      if (cell.load === 'overload') return null;
      return cell.load === 'alone' ? alone(SERVICE_MS / pace) : answering(pace * 9);
    };
    const { service, steps } = targetOf(makeClusterRecord(story, { topologies: ['single'] }));
    // 20 s for the 150 requests that come alone; 135 requests in 20 s.
    expect(service.ns).toEqual(near((20 / 150) * 1e9, -5));
    expect(steps.map(({ reached }) => reached)).toEqual([near((135 / 20) * (20 / 150), 3)]);
  });

  test('leaves out launches in which one of both is missing', () => {
    const story: Story = (cell, launch, round) => {
      if (cell.load === 'alone' && launch === 1) return null;
      const slow = launch === 1 && cell.load === 'feasible' ? { ok: 1 } : {};
      const happened = bound(cell, launch, round);
      return happened && { ...happened, ...slow };
    };
    const { steps } = targetOf(makeClusterRecord(story));
    expect(steps).toHaveLength(3);
    for (const { reached } of steps) expect(reached).toEqual(near(0.97, 2));
  });
});

describe('the speed-up', () => {
  test('is over the plain process, which has none', () => {
    const { steps } = targetOf(makeClusterRecord(bound, { topologies: [2, 'single', 4] }));
    expect(steps.map(({ speedUp }) => speedUp?.ratio ?? null)).toEqual([near(2), null, near(4)]);
  });
});

describe('the processes that a target wants', () => {
  /** Differences between launches, beside those between topologies. */
  const NOISE = [1, 1.03, 0.97];

  /** What is wanted where the topologies answer so many a second, on a machine that is so uneven. */
  function wanted(speeds: Record<string, number>, noise = 0, parts = {}): string | null {
    const story: Story = ({ topology, load }, launch) => {
      if (load === 'overload') return null;
      if (load === 'alone') return alone();
      const wobble = topology === '2' ? 1 + noise * ((NOISE[launch] ?? 1) - 1) : 1;
      return { ...answering((speeds[topology] ?? 0) * wobble, 32), cpuUsPerResponse: 1000 };
    };
    const record = makeClusterRecord(story, { topologies: [4, 2, 'single', 8], ...parts });
    return targetOf(record).wants?.id ?? null;
  }

  test('are the fastest where all differ', () => {
    expect(wanted({ single: 100, '2': 200, '4': 400, '8': 300 })).toBe('4');
    expect(wanted({ single: 500, '2': 200, '4': 400, '8': 300 })).toBe('single');
  });

  test('are the fewest of those that are the same', () => {
    expect(wanted({ single: 100, '2': 200, '4': 201, '8': 200.5 })).toBe('2');
    expect(wanted({ single: 200, '2': 200, '4': 200, '8': 200 })).toBe('single');
  });

  test("are the fewest of those that can't be told from the fastest", () => {
    const speeds = { single: 100, '2': 390, '4': 400, '8': 400 };
    expect(wanted(speeds, 3)).toBe('2');
    // The same difference, where nothing hides it.
    expect(wanted(speeds, 0)).toBe('4');
  });

  test('are not those of a topology that failed or is invalid', () => {
    const failures = [0, 1, 2].map((launch): Failure => {
      return { server: 'fib/4', launch, when: 'slice', message: '', logTail: [], died: true };
    });
    const speeds = { single: 100, '2': 200, '4': 400, '8': 300 };
    expect(wanted(speeds, 0, { failures })).toBe('8');
    const story: Story = (cell, ...when) => {
      const happened = bound(cell, ...when);
      return happened && cell.topology === '4' ? { ...happened, wrongBody: 50 } : happened;
    };
    expect(targetOf(makeClusterRecord(story)).wants?.id).toBe('2');
  });

  test('are unknown after one launch, which can show nothing', () => {
    expect(targetOf(makeClusterRecord(bound, { options: { launches: 1 } })).wants).toBeNull();
  });

  test('are unknown where nothing was measured', () => {
    expect(targetOf(makeClusterRecord(() => null)).wants).toBeNull();
  });
});

test('the cores are those of the largest topology', () => {
  const machine = makeMachine({ cores: [0, 1], parallelism: 2 });
  expect(scalingOf(makeClusterRecord(bound, { topologies: ['single'], machine })).cores).toBe(1);
  expect(scalingOf(makeClusterRecord(bound, { topologies: ['single', 2], machine })).cores).toBe(2);
});

test('there is none in runs without a feasible load', () => {
  expect(summariesOf(makeRecord({}, () => ({ ok: 5 }))).scaling).toBeNull();
  const options = { rates: [{ kind: 'per second' as const, perS: 5 }] };
  expect(
    summariesOf(makeRecord({ suite: ratesOf('cluster'), options }, () => null)).scaling,
  ).toBeNull();
});
