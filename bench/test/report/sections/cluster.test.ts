import { describe, expect, test } from 'vitest';
import type { Section } from '../../../src/report/document.ts';
import {
  clusterText,
  overloadSection,
  scalingSection,
} from '../../../src/report/sections/cluster.ts';
import { renderSections } from '../../../src/report/terminal/render.ts';
import { makeClusterRecord, SERVICE_MS } from '../../support/make-cluster-record.ts';
import { type Happened, makeMachine, makeTarget, type Story } from '../../support/make-record.ts';
import { diedThrice, otherwise } from '../../support/stories.ts';
import { summariesOf } from '../../support/summaries.ts';
import { plain, rowsOf, shown } from '../look.ts';

const WINDOW_S = 10;
const ages = (count: number, ms: number) => Array.from({ length: count }, () => ms);

/** Of a window with so many answers a second, where so many are in flight. */
function answering(perS: number, inFlight = 16): Happened {
  const ok = Math.round(perS * WINDOW_S);
  const latenciesMs = [(inFlight * 1000) / perS];
  return { ok, windowS: WINDOW_S, latenciesMs, cpuUsPerResponse: 97_000 };
}

const GIVEN_UP = ages(10_000, 10_000);
const WAITING = ages(10_000, 2000);

/** So many answers after such times, of 20,000 requests of which half were given up after 10 s. */
function overloaded(ok: number, meanMs: number): Happened {
  return {
    ...{ ok, windowS: 12, latenciesMs: [meanMs], cpuUsPerResponse: 9_000_000 / ok },
    ...{ timedOut: 10_000, lostAgesMs: GIVEN_UP, inFlight: 10_000 - ok },
    inFlightAgesMs: WAITING.slice(ok),
  };
}

/** 97 % of the bound under the feasible load; under the overload answers that grow with the processes. */
const usually =
  (inFlight: number): Story =>
  ({ topology, load }) => {
    const processes = topology === 'single' ? 1 : Number(topology.replace(/\D+/, ''));
    if (load === 'alone') return { ...answering(10), latenciesMs: [SERVICE_MS] };
    if (load === 'overload') return overloaded(20 * processes, 5000 + 100 * processes);
    const managerBytes = topology === 'single' ? 0 : 61e6;
    return { ...answering(9.7 * Math.min(processes, 4), inFlight), managerBytes };
  };
const usual = usually(16);

/** The usual, but for what the cells of this load have otherwise. */
const under = (load: string, other: Happened | null) => {
  return otherwise(usual, (cell) => cell.load === load, other);
};

type Parts = Parameters<typeof makeClusterRecord>[1];

function summariesIn(story: Story, parts: Parts) {
  const { scaling, overload, conditions } = summariesOf(makeClusterRecord(story, parts));
  if (scaling === null || overload === null) throw new Error('the record is of no cluster');
  return { scaling, overload, conditions };
}

const died = (...servers: string[]) => ({ failures: diedThrice(...servers) });
const TWO_TARGETS = {
  targets: [makeTarget('one', { label: 'First' }), makeTarget('two', { label: 'Second' })],
  topologies: ['single', 2],
} satisfies Parts;

describe('the table of the feasible load', () => {
  function tableOf(parts: Parts = {}, story = usual): Section {
    const { scaling, conditions } = summariesIn(story, parts);
    const alone = conditions.flatMap(({ load, cells }) => (load.id === 'alone' ? cells : []));
    return scalingSection(scaling, alone);
  }
  const textOf = (...of: Parameters<typeof tableOf>) => shown(tableOf(...of));

  test('goes target by target, from the fewest processes to the most', () => {
    const table = tableOf({ ...TWO_TARGETS, topologies: [2, 'single'] });
    expect(rowsOf(table).map(([name]) => name)).toEqual([
      ...['First (single)', 'First (2)', 'Second (single)', 'Second (2)'],
    ]);
  });

  test('says of a server that failed, and of what was not reached, nothing but that', () => {
    expect(rowsOf(tableOf(died('fib/2')))[1]).toEqual([
      ...['2', '≤ 20.0', 'failed', '–', '–', '–', '≥ 800'],
      ...['–', '–', '–', '–', '–', '–', '–', 'a'],
    ]);
    const unreached = otherwise(usual, ({ topology }) => topology === '4', null);
    expect(rowsOf(tableOf({}, unreached)).at(-1)).toContain('not reached');
    expect(textOf({}, () => null)).toMatch(/^Feasible load.*\nNothing was measured here\.$/);
  });

  test('has columns of managers, speed-ups and µs only where they say something', () => {
    expect(textOf()).toMatch(/speed-up(.|\n)*ms\/request(.|\n)*manager/);
    expect(textOf({ topologies: ['single'] })).not.toContain('manager');
    expect(textOf({ topologies: [2, 4] })).not.toContain('speed-up');
    const targets = [makeTarget('slow'), makeTarget('quick')];
    const quick = otherwise(usual, ({ target }) => target === 'quick', { cpuUsPerResponse: 21 });
    expect(textOf({ targets }, quick)).toMatch(/µs\/request(.|\n)*97,000\.00 ±0\.00/);
  });

  const LOAD = 'Service time: 97.00 ±0.00 ms, the CPU time of a request under this load, since';

  test.each<[string, Story]>([
    [
      `${LOAD} a request alone is on the CPU for only 5.`,
      under('alone', { cpuUsPerResponse: 5000 }),
    ],
    [`${LOAD} no request was measured alone.`, under('alone', null)],
    [
      'Service time: not known, since no request was measured alone. Predicted',
      otherwise(usual, ({ topology }) => topology === 'single', null),
    ],
  ])('says "%s"', (text, story) => {
    expect(textOf({}, story)).toContain(text);
  });

  test('says the service time of each target, and what is wrong with the requests alone', () => {
    expect(textOf(TWO_TARGETS)).toMatch(/Service time of First: .* Service time of Second: /);
    expect(textOf({}, under('alone', { wrongBody: 3 }))).toMatch(
      /BAD_RESPONSE \(invalid [^)]+\): requests alone to fib: 18 of /,
    );
  });

  test('says how well the time of a request alone is known by its interval, and by no flag', () => {
    // A single launch tells nothing for sure.
    const options = { launches: 1 };
    expect(tableOf({ options }).flags).toContain('INCONCLUSIVE');
    const alone = otherwise(usual, ({ load }) => load !== 'alone', null);
    expect(tableOf({ options }, alone).flags).not.toContain('INCONCLUSIVE');
  });
});

describe('the table of an overload', () => {
  const LOST: Happened = {
    ...{ ok: 30, latenciesMs: [4000], timedOut: 50, lostAgesMs: ages(50, 10_000) },
    ...{ inFlight: 20, inFlightAgesMs: ages(20, 3000) },
  };

  function tableOf(happened: Happened | null = LOST, parts: Parts = {}, isPublished = true) {
    const story: Story = ({ load }) => {
      const of = { windowS: WINDOW_S, cpuUsPerResponse: 100_000 };
      if (load === 'alone') return { ...of, ok: 100, latenciesMs: [SERVICE_MS] };
      if (load === 'feasible') return { ...of, ok: 100, latenciesMs: [1600] };
      return happened && { ...of, cpuUsPerResponse: 300_000, ...happened };
    };
    const { overload } = summariesIn(story, { topologies: ['single', 2], ...parts });
    return overloadSection(overload, isPublished);
  }
  const first = (...of: Parameters<typeof tableOf>) => rowsOf(tableOf(...of))[0] ?? [];

  test('lets the mean stand where all were answered', () => {
    expect(first({ ok: 100, latenciesMs: [4000] }).slice(1, 12)).toEqual([
      ...['300', '300', '0', '–', '100 %', '≤ 300', '–', '4,002', '4,002', '4,001', '4,001'],
    ]);
  });

  test('has no time where nobody was answered and nobody looked', () => {
    expect(first({ inFlight: 100 }).slice(1)).toEqual([
      ...['300', '0', '0', '–', '0 %', '≤ 300', '–', '–', '–', '–', '–'],
      expect.stringMatching(/^[a-z]( [a-z])*$/),
    ]);
  });

  test('shows wrong answers and lost connections only where there are any', () => {
    expect(shown(tableOf())).not.toMatch(/wrong|lost with a/);
    const wrong = { ...LOST, wrongStatus: 2, wrongBody: 1, disconnected: 4 };
    expect(shown(tableOf(wrong))).toMatch(/wrong +timed +lost with a/);
    expect(first(wrong).slice(1, 7)).toEqual(['321', '90', '9', '150', '12', '60']);
  });

  test('says of a server that failed, and of what was not reached, nothing but that', () => {
    expect(first(LOST, died('fib/single'))).toEqual([
      ...['single', 'failed', '–', '–', '–', '–', '–', '–', '–', '–', '–', '–'],
      expect.stringMatching(/^[a-z]$/),
    ]);
    expect(shown(tableOf(null))).toMatch(/^Overload.*\nNothing was measured here\.$/);
  });

  test('goes target by target, from the fewest processes to the most, and says what the load is', () => {
    const table = tableOf(LOST, { ...TWO_TARGETS, topologies: [4, 'single'] });
    expect(rowsOf(table).map(([name]) => name)).toEqual([
      ...['First (single)', 'First (4)', 'Second (single)', 'Second (4)'],
    ]);
    const other = tableOf(LOST, { options: { connections: 500 } }, false);
    expect(shown(other)).toMatch(/^Overload: -c 500 -p 10, /);
  });

  test('shows the number of launches where some rows lack launches that had not settled', () => {
    const heads = (table: Section) => shown(table).split('\n')[1];
    expect(heads(tableOf())).not.toContain('launches');
    const story: Story = (cell, launch, round) => {
      const hasSettled = cell.topology !== '2' || cell.load !== 'overload' || launch > 0;
      const happened = cell.load === 'overload' ? LOST : usual(cell, launch, round);
      return happened && { ...happened, hasSettled };
    };
    const parts = { topologies: ['single' as const, 2], options: { launches: 4 } };
    const { overload } = summariesIn(story, parts);
    const table = overloadSection(overload, true);
    expect(heads(table)).toContain('launches');
    expect(rowsOf(table).map((row) => row[1])).toEqual(['4', '3']);
  });

  test('leaves out the flag that says what the whole table says', () => {
    const { flags } = tableOf({ ...LOST, wrongBody: 1 });
    expect(flags).not.toContain('CENSORED');
    expect(flags).toContain('BAD_RESPONSE');
  });
});

describe('the text on how many processes', () => {
  function textOf(parts: Parts = {}, story: Story = usual, hasOverload = true): string {
    const { scaling, overload } = summariesIn(story, parts);
    return renderSections(clusterText(scaling, hasOverload ? overload : null), plain(100_000));
  }
  /** The usual, but for what happens under this load. */
  const at = (load: string, of: (topology: string, launch: number) => Happened | null): Story => {
    return (cell, launch, round) => {
      return cell.load === load ? of(cell.topology, launch) : usual(cell, launch, round);
    };
  };
  const speeds = (perS: Record<string, number>, inFlight = 16) => {
    return at('feasible', (topology) => answering(perS[topology] ?? 0, inFlight));
  };
  const shaky = at('feasible', (topology, launch) => {
    return answering(topology === 'single' ? 5 : 5 + 3 * launch);
  });
  const invalid = (isIt: (topology: string) => boolean) => {
    const isFeasible = ({ load }: { load: string }) => load === 'feasible';
    return otherwise(usual, (cell) => isFeasible(cell) && isIt(cell.topology), { wrongBody: 1 });
  };
  const machineWith = (parallelism: number) => {
    return makeMachine({ cores: [...Array(parallelism).keys()], parallelism });
  };

  test('is a paragraph for each target', () => {
    expect(textOf(TWO_TARGETS).split('\n\n')).toEqual([
      expect.stringMatching(/^How many processes for First\?\nA request takes /),
      expect.stringMatching(/^How many processes for Second\?\nA request takes /),
    ]);
  });

  const waiting = under('alone', { ok: 9, latenciesMs: [0.2], cpuUsPerResponse: 1 });
  const quick = otherwise(waiting, ({ load }) => load === 'feasible', { cpuUsPerResponse: 20 });

  const once = at('overload', (topology, launch) => {
    if (topology !== 'single') return overloaded(30, 6000);
    return launch === 0 ? overloaded(1, 3000) : null;
  });

  test.each<[string, Parts, Story]>([
    [
      'so 1 core can answer at most 10.0 requests/s,',
      { topologies: ['single'], machine: machineWith(2) },
      usually(10),
    ],
    // By a single process, where a request alone mostly waits for something else.
    [
      'A request takes 20.0 µs of CPU in a single process, so 4 cores can answer at most 200,000 requests/s, if nothing ' +
        'else runs on them.',
      {},
      quick,
    ],
    // Without a bound.
    ['in flight: the generator gives each up after 10 s.', died('fib/single'), usual],
    ['with 0.08 answers/s against 2.50:', { topologies: ['single', 2] }, once],
  ])('says "%s"', (text, parts, story) => {
    expect(textOf(parts, story)).toContain(text);
  });

  const allAnswered = { ok: 1_200_000, latenciesMs: [100], timedOut: 0, inFlight: 0 };
  const better = at('overload', (topology) => overloaded(20, topology === 'single' ? 6000 : 3000));

  test.each<[string, string, Story]>([
    ['A request takes', 'nothing is valid', invalid(() => true)],
    ['overload', 'nothing of it was measured', under('overload', null)],
    ['would beat', 'more processes are faster by it too', better],
    ['would beat', 'nobody was answered', under('overload', { ok: 0, latenciesMs: [] })],
    ['would beat', 'all were answered', under('overload', allAnswered)],
  ])('does not say "%s" where %s', (words, _, story) => {
    expect(textOf({}, story)).not.toContain(words);
  });

  test('does not speak of a bound without a service time, nor of an overload where there was none', () => {
    expect(textOf(died('fib/single'))).not.toContain('A request takes');
    expect(textOf({}, usual, false)).not.toContain('overload');
  });

  const UNKNOWN = 'How many processes to run is not known: ';
  const ONE_NUMBER = `${UNKNOWN}only one number of processes was measured.`;
  const ONE_VALID = `${UNKNOWN}only one number of processes has valid figures.`;

  test.each<[string, Parts, Story]>([
    [
      'Run 2 processes, one per usable core: fewer answer less, and more were not shown to answer more.',
      { topologies: ['single', 2, 4], machine: machineWith(2) },
      speeds({ single: 10, '2': 20, '4': 20 }),
    ],
    [
      'Run 2 processes: fewer answer less, and more were not tried.',
      { topologies: ['single', 2], machine: machineWith(6) },
      speeds({ single: 10, '2': 20 }, 12),
    ],
    [
      'Run 2 processes, one per usable core: fewer answer less, and more have no valid figure.',
      { topologies: ['single', 2, 4], machine: machineWith(2) },
      invalid((topology) => topology === '4'),
    ],
    [
      'Run 1 process: more were not shown to answer more.',
      {},
      speeds({ single: 9, '2': 9, '4': 9 }),
    ],
    [
      'Run 2 processes (pm2 cluster mode): fewer answer less, and more were not tried.',
      { topologies: ['single', 1, 2, 'cluster:2'] },
      usual,
    ],
    [
      `${UNKNOWN}4 processes seemed to answer 1.52 times as much as 1 process, which may be chance; more launches ` +
        '(--launches) can tell.',
      { topologies: ['single', 4] },
      shaky,
    ],
    [
      `${UNKNOWN}the generator was the limit of some, which may answer more.`,
      { topologies: ['single', 4] },
      otherwise(usual, ({ topology }) => topology === '4', {
        turns: { all: 30_000, empty: 29_900, idleNs: 2e7 },
      }),
    ],
    [ONE_NUMBER, { topologies: ['single', 1] }, usually(10)],
    [ONE_VALID, died('fib/2', 'fib/4'), usual],
    [ONE_VALID, { topologies: ['single', 2] }, invalid((topology) => topology === '2')],
    [`${UNKNOWN}one launch is not enough.`, { options: { launches: 1 } }, usual],
    [`${UNKNOWN}no figure is valid.`, {}, () => null],
  ])('ends with "%s"', (text, parts, story) => {
    expect(textOf(parts, story).endsWith(text)).toBe(true);
  });
});
