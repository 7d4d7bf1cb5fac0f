import { describe, expect, test } from 'vitest';
import type { Failure, RunRecord } from '../../../src/record/record.ts';
import { clusterText } from '../../../src/report/sections/cluster-text.ts';
import { renderSections } from '../../../src/report/terminal/render.ts';
import { makeClusterRecord, SERVICE_MS } from '../../support/make-cluster-record.ts';
import { type Happened, makeMachine, makeTarget, type Story } from '../../support/make-record.ts';
import { summariesOf } from '../../support/summaries.ts';
import { plain } from '../look.ts';

const WINDOW_S = 10;

/** Of a window with so many answers a second, where so many are under way. */
function answering(perS: number, underWay = 16): Happened {
  const ok = Math.round(perS * WINDOW_S);
  const latenciesMs = [(underWay * 1000) / perS];
  return { ok, windowS: WINDOW_S, latenciesMs, cpuUsPerResponse: 99_000 };
}

const ALONE: Happened = {
  ...{ ok: 100, windowS: WINDOW_S, latenciesMs: [SERVICE_MS], cpuUsPerResponse: 97_000 },
};

const WAITS = Array.from({ length: 10_000 }, () => 10_000);
const UNDER_WAY = WAITS.map(() => 2000);
const LEFT = new Map<number, number[]>();

/** Those that are left once so many have an answer. */
function leftAfter(ok: number): number[] {
  const left = LEFT.get(ok) ?? UNDER_WAY.slice(ok);
  LEFT.set(ok, left);
  return left;
}

/** So many answers after such times, of 20,000 requests of which half were given up after 10 s. */
function overloaded(ok: number, meanMs: number): Happened {
  return {
    ...{ ok, windowS: 12, latenciesMs: [meanMs], cpuUsPerResponse: 9_000_000 / ok },
    ...{ timedOut: 10_000, lostAgesMs: WAITS, inFlight: 10_000 - ok },
    inFlightAgesMs: leftAfter(ok),
  };
}

/** 97 % of the bound under the feasible load; under the overload answers that grow with the processes. */
const usually =
  (underWay: number): Story =>
  ({ topology, load }) => {
    const processes = topology === 'single' ? 1 : Number(topology.replace(/\D+/, ''));
    if (load === 'alone') return ALONE;
    if (load === 'feasible') return answering(9.7 * Math.min(processes, 4), underWay);
    return overloaded(20 * processes, 5000 + 100 * processes);
  };
const usual = usually(16);

type Parts = Parameters<typeof makeClusterRecord>[1];

function textOf(record: RunRecord): string {
  const { scaling, overload } = summariesOf(record);
  if (scaling === null) throw new Error('the record has no feasible load');
  return renderSections(clusterText(scaling, overload), plain(100_000));
}

const told = (parts: Parts = {}, story: Story = usual) => textOf(makeClusterRecord(story, parts));

/** The usual record in which the cells of this load go otherwise. */
const under = (load: string, other: Story): Story => {
  return (cell, ...when) => (cell.load === load ? other(cell, ...when) : usual(cell, ...when));
};

/** These servers failed in each of the three launches. */
const died = (...servers: string[]) => ({
  failures: servers.flatMap((server) => {
    return [0, 1, 2].map((launch): Failure => {
      return { server, launch, when: 'slice', message: 'gone', logTail: [], died: true };
    });
  }),
});

const TWO_CORES = makeMachine({ cores: [0, 1], parallelism: 2 });

test('every target has a paragraph of its own', () => {
  const targets = [makeTarget('one', { label: 'first' }), makeTarget('two', { label: 'second' })];
  const [first, second, ...more] = told({ targets }).split('\n\n');
  expect(more).toEqual([]);
  expect(first).toMatch(/^How many processes for first\?\nOne request takes /);
  expect(second).toMatch(/^How many processes for second\?\nOne request takes /);
});

describe('the bound', () => {
  test('is what the cores can do', () => {
    expect(told()).toContain(
      'One request takes 100 ms of a core, so 4 cores can answer at most 40.0 a second, however many processes there are.',
    );
  });

  test('is none where a request alone mostly waits for something else', () => {
    const quick = under('alone', () => ({ ok: 9, latenciesMs: [0.2], cpuUsPerResponse: 1 }));
    const cheap: Story = (cell, ...when) => {
      const happened = quick(cell, ...when);
      return cell.load === 'feasible' ? { ...happened, cpuUsPerResponse: 20 } : happened;
    };
    expect(told({}, cheap)).toContain(
      'One request takes 20.0 µs of a core in a single process; at that cost 4 cores would answer 200,000 a second,',
    );
  });

  test('of a single core is that of one core', () => {
    const text = told({ topologies: ['single'], machine: TWO_CORES }, usually(10));
    expect(text).toContain('so 1 core can answer at most 10.0 a second');
  });

  test('is left out where there is no service time, or nothing valid', () => {
    expect(told(died('fib/single'))).not.toContain('One request takes');
    const wrong = under('feasible', (cell, ...when) => {
      return { ...usual(cell, ...when), wrongBody: 1 };
    });
    expect(told({}, wrong)).not.toContain('One request takes');
  });
});

describe('what was reached', () => {
  test('is told from the fewest processes to the most', () => {
    const text = told({ topologies: [4, 'single', 2] });
    expect(text).toContain(
      'With 16 requests under way, 1 process answered 9.70 (97.0 % of the bound), 2 processes 19.4 (97.0 %) and 4 processes 38.8 (97.0 %) a second.',
    );
  });

  test('says who keeps the processes where there are as many of them twice', () => {
    const text = told({ topologies: ['single', 1, 2, 'cluster:2'] });
    for (const name of [
      ...['1 process (plain node)', '1 process (pm2)'],
      ...['2 processes (pm2)', '2 processes (node:cluster)'],
    ]) {
      expect(text).toContain(name);
    }
    expect(told()).not.toMatch(/\((plain node|pm2)\)/);
  });

  test('leaves out what failed, was not measured, or is invalid', () => {
    expect(told(died('fib/2'))).toMatch(/1 process answered [^.]+\.70 \([^)]+\) and 4 processes/);
    const wrong = under('feasible', (cell, ...when) => {
      const happened = usual(cell, ...when);
      return cell.topology === '2' ? { ...happened, wrongBody: 1 } : happened;
    });
    expect(told({}, wrong)).toMatch(/1 process answered [^.]+\.70 \([^)]+\) and 4 processes/);
    expect(
      told(
        {},
        under('feasible', () => null),
      ),
    ).not.toContain('under way, 1 process');
  });
});

describe('the overload', () => {
  test('would have the last wait for longer than the generator does', () => {
    // 10,000 requests of 100 ms on 4 cores.
    expect(told()).toContain(
      'The overload keeps 10,000 requests under way: at the bound the last of them would wait for 4 min 10 s, and the generator gives each up after 10 s.',
    );
  });

  test('is told without a bound where there is no service time', () => {
    expect(told(died('fib/single'))).toContain('The overload keeps 10,000 requests under way. ');
  });

  test('says what share was answered, of each', () => {
    expect(told({ topologies: ['single', 2] })).toContain(
      'Hardly any were answered: 60 of 60,000 sent (0.10 %) by 1 process and 120 of 60,000 sent (0.20 %) by 2 processes.',
    );
  });

  test.each([
    { what: 'some', ok: 8000, says: 'Only some were answered: ' },
    { what: 'hardly any', ok: 900, says: 'Hardly any were answered: ' },
  ])('says that $what were answered', ({ ok, says }) => {
    expect(
      told(
        {},
        under('overload', () => overloaded(ok, 4000)),
      ),
    ).toContain(says);
  });

  test('is none where nearly all were answered', () => {
    const light = under('overload', () => {
      return { ok: 1_200_000, windowS: 12, latenciesMs: [100], cpuUsPerResponse: 5 };
    });
    const text = told({}, light);
    expect(text).toContain(
      'The overload, 10,000 requests under way, is none for it: nearly all were answered.',
    );
    expect(text).not.toMatch(/survivors|mean latency|Of all requests/);
  });

  test('is not spoken of where there was none, or nothing of it was measured', () => {
    expect(
      told(
        {},
        under('overload', () => null),
      ),
    ).not.toMatch(/overload/i);
    const { scaling } = summariesOf(makeClusterRecord(usual));
    expect(scaling && renderSections(clusterText(scaling, null), plain(1000))).not.toMatch(
      /overload/i,
    );
  });
});

describe('the mean of those that were answered', () => {
  test('shows how fewer processes would win by it, against the most that they seem to beat', () => {
    const text = told();
    expect(text).toContain(
      'The mean latency of those that were answered was 5.10 s with 1 process, 5.20 s with 2 processes and 5.40 s with 4 processes. ' +
        'By that 1 process would beat 4 processes, with 60 answers against 240: fewer processes seem faster where more of the late answers never come.',
    );
  });

  test('counts a single answer in the singular', () => {
    const few = under('overload', ({ topology }, launch) => {
      if (topology !== 'single') return overloaded(30, 6000);
      return launch === 0 ? overloaded(1, 3000) : null;
    });
    expect(told({ topologies: ['single', 2] }, few)).toContain('with 1 answer against 90:');
  });

  test('fools nobody where more processes are faster by it too', () => {
    const honest = under('overload', ({ topology }) => {
      return overloaded(20, topology === 'single' ? 6000 : 3000);
    });
    const text = told({}, honest);
    expect(text).not.toContain('would beat');
    expect(text).toContain('That says who got an answer before the generator gave up');
  });

  test('is not told of those that answered nobody', () => {
    const none = under('overload', () => ({ ...overloaded(20, 5000), ok: 0, latenciesMs: [] }));
    const text = told({}, none);
    expect(text).toContain('0 of ');
    expect(text).not.toMatch(/mean latency|would beat/);
  });
});

describe('what can be said of all requests', () => {
  test('is the same whatever the topology where it is', () => {
    expect(told()).toContain(
      'Of all requests sent, more than half take longer than 10 s, whatever the number of processes.',
    );
    expect(told({ topologies: ['single'] })).toContain('more than half take longer than 10 s. ');
  });

  test('is what is true of all where they were watched for different times', () => {
    const short = under('overload', ({ topology }) => {
      const ageMs = topology === 'single' ? 3040 : 3110;
      const inFlightAgesMs = Array.from({ length: 10_000 }, () => ageMs);
      return { ok: 20, latenciesMs: [1500], windowS: 3, inFlight: 10_000, inFlightAgesMs };
    });
    expect(told({}, short)).toContain(
      'Of all requests sent, more than half take longer than 3.04 s, whatever the number of processes.',
    );
  });

  test('is told of each where they differ, with its unit', () => {
    const better = under('overload', ({ topology }) => {
      if (topology !== '4') return overloaded(20, 5000);
      return { ...overloaded(35_000, 2000), ...{ timedOut: 5000, inFlight: 10_000 } };
    });
    const text = told({}, better);
    expect(text).toMatch(
      /Of all requests sent, more than half take longer than 10 s with 1 process and 2 processes; half take no longer than 2\.\d\d s with 4 processes\./,
    );
  });
});

describe('how many processes the machine wants', () => {
  /** Under the feasible load so many requests/s. */
  const speeds = (perS: Record<string, number>, underWay = 16): Story =>
    under('feasible', ({ topology }) => answering(perS[topology] ?? 0, underWay));
  const last = (text: string) => text.slice(text.lastIndexOf('. ') + 2);

  test('are as many as cores, where more were tried in vain', () => {
    const story = speeds({ single: 10, '2': 20, '4': 20 });
    const parts = { topologies: ['single', 2, 4], machine: TWO_CORES } satisfies Parts;
    expect(last(told(parts, story))).toBe(
      'So this machine wants 2 processes of it, one for each core that it can use: fewer answer less and more were not shown to answer more.',
    );
  });

  test('are as many as cores, where no more were tried', () => {
    expect(last(told({}, speeds({ single: 10, '2': 20, '4': 39 })))).toBe(
      'So this machine wants 4 processes of it, one for each core that it can use: fewer answer less and more would only share the cores.',
    );
  });

  test('may be more, where cores are left', () => {
    const parts = {
      topologies: ['single', 2],
      machine: makeMachine({ cores: [0, 1, 2, 3, 4, 5], parallelism: 6 }),
    } satisfies Parts;
    expect(last(told(parts, speeds({ single: 10, '2': 20 }, 12)))).toBe(
      'So this machine wants 2 processes of it: fewer answer less and more were not tried.',
    );
  });

  test('may be a single one', () => {
    expect(last(told({}, speeds({ single: 9, '2': 9, '4': 9 })))).toBe(
      'So this machine wants 1 process of it: more were not shown to answer more.',
    );
  });

  test('are not told where more processes seem to answer more, which may be chance', () => {
    const shaky = under('feasible', ({ topology }, launch) => {
      return answering(topology === 'single' ? 5 : 5 + 3 * launch);
    });
    expect(last(told({ topologies: ['single', 4] }, shaky))).toBe(
      'How many processes this machine wants is not known yet: 4 processes seemed to answer 1.60 times as many as 1 process, but that may be chance; more launches (--launches) tell.',
    );
  });

  test('are not told from a single number of processes', () => {
    const alone = 'One number of processes alone does not say how many this machine wants.';
    expect(last(told({ topologies: ['single'] }, usually(10)))).toBe(alone);
    expect(last(told({ topologies: ['single', 1] }, usually(10)))).toBe(alone);
    expect(last(told(died('fib/2', 'fib/4')))).toBe(alone);
  });

  test('are not told from a single launch', () => {
    expect(last(told({ options: { launches: 1 } }))).toBe(
      'One launch alone does not say how many processes this machine wants.',
    );
  });

  test('are not told where nothing is valid', () => {
    expect(textOf(makeClusterRecord(() => null))).toMatch(
      /\?\nNo valid figure says how many processes this machine wants\.$/,
    );
  });
});
