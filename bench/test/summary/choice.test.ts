import { describe, expect, test } from 'vitest';
import { ratesOf } from '../../src/suites/rates.ts';
import { type Choice, type ChoiceRow, summarizeChoice } from '../../src/summary/choice.ts';
import { type Happened, makeRecord, makeTarget, type Story } from '../support/make-record.ts';
import { summariesOf } from '../support/summaries.ts';

const CORES = { small: 0.1, large: 0.4, late: 0.05 };
const P99_MS = { small: 10, large: 10, late: 80 };
type Name = keyof typeof CORES;
const NAMES = ['large', 'late', 'small'] as const;
const isName = (name: string): name is Name => name in CORES;

interface Parts {
  rates?: number[];
  p99Ms?: number | null;
  launches?: number;
  targets?: readonly string[];
}

/** So much of what a server has in a launch; launches differ by a hundredth. */
const uneven = (launch: number) => 1 + launch / 100;

function happenedTo(name: string, load: string, launch: number): Happened {
  const ratePerS = Number(load.replace('rate-', ''));
  if (!isName(name)) throw new Error(`nobody knows ${name}`);
  return {
    ok: ratePerS,
    latenciesMs: [P99_MS[name] * uneven(launch)],
    cpuUsPerResponse: (CORES[name] / 500) * 1e6 * uneven(launch),
    serverBytes: 50e6,
  };
}
const usual: Story = ({ target, load }, launch) => happenedTo(target, load, launch);
/** As usual, but this for some. */
const but = (change: (target: string, load: string, launch: number) => Happened): Story => {
  return ({ target, load }, launch) => ({
    ...happenedTo(target, load, launch),
    ...change(target, load, launch),
  });
};

function choiceOf(story: Story = usual, parts: Parts = {}): Choice {
  const { rates = [500], p99Ms = 50, launches = 3, targets = NAMES } = parts;
  const record = makeRecord(
    {
      suite: ratesOf('frameworks'),
      targets: targets.map((name) => makeTarget(name)),
      options: {
        rates: rates.map((perS) => ({ kind: 'per second', perS })),
        p99Ns: p99Ms === null ? null : p99Ms * 1e6,
        ...{ launches, durationS: launches },
      },
    },
    story,
  );
  const { rates: summary } = summariesOf(record);
  if (summary === null) throw new Error('the record is of no rate');
  return summarizeChoice(record, summary);
}

const namesOf = (rows: ChoiceRow[]) => rows.map(({ target }) => target.name);
const verdictsOf = ({ rows }: Choice) => {
  return Object.fromEntries(rows.map(({ target, verdict }) => [target.name, verdict]));
};

describe('at one rate', () => {
  test('servers come by the cores that they use, each with what it needs', () => {
    const { rows } = choiceOf(usual, { p99Ms: null });
    expect(namesOf(rows)).toEqual(['late', 'small', 'large']);
    expect(rows[1]).toMatchObject({ processes: 1, bytes: { value: 50e6 } });
    expect(rows[1]?.cores).toMatchObject({ kind: 'interval', value: expect.closeTo(0.101, 6) });
    expect(rows[1]?.p99).toMatchObject({ value: expect.closeTo(10.1e6, -5) });
  });

  test('idle use and the manager count', () => {
    const story = but(() => ({ idleNsPerS: 5e7, managerBytes: 60e6 }));
    const { rows } = choiceOf(story);
    expect(rows[1]?.cores).toMatchObject({ value: expect.closeTo(0.101, 6) });
    expect(rows[1]?.bytes).toMatchObject({ value: 110e6 });
  });

  test('the cheapest is that with the fewest cores of those whose p99 is within what is asked', () => {
    const choice = choiceOf();
    expect(verdictsOf(choice)).toEqual({
      ...{ small: 'meets it', large: 'meets it', late: 'does not' },
    });
    expect(namesOf(choice.byCores)).toEqual(['small']);
    expect(namesOf(choice.byMemory)).toEqual(['small']);
  });

  test('of those whose cores can not be told apart it is that with the least memory', () => {
    const noisy = but((target, _, launch) => {
      if (target === 'late') return {};
      return { cpuUsPerResponse: target === 'large' ? 200 : ([100, 200, 350][launch] ?? 0) };
    });
    const same = choiceOf(noisy);
    expect(new Set(namesOf(same.byCores))).toEqual(new Set(['small', 'large']));
    expect(namesOf(same.byMemory)).toHaveLength(1 + 1);
    const lighter: Story = (cell, ...when) => {
      const own = noisy(cell, ...when);
      return own && cell.target === 'large' ? { ...own, serverBytes: 30e6 } : own;
    };
    expect(namesOf(choiceOf(lighter).byMemory)).toEqual(['large']);
  });

  test('none is, where none meets it', () => {
    const choice = choiceOf(usual, { p99Ms: 5 });
    expect(new Set(Object.values(verdictsOf(choice)))).toEqual(new Set(['does not']));
    expect([choice.byCores, choice.byMemory]).toEqual([[], []]);
  });

  test.each<[string, Parameters<typeof choiceOf>]>([
    ['the interval holds what is asked', [usual, { p99Ms: 10.1 }]],
    ['there is one launch', [usual, { launches: 1 }]],
    ['there are fewer than 1,000 answers', [usual, { rates: [300] }]],
    ['an answer was wrong', [but(() => ({ wrongBody: 1 }))]],
  ])('it can not be told where %s', (_, of) => {
    const choice = choiceOf(...of);
    expect(verdictsOf(choice)).toMatchObject({ small: "can't tell" });
    expect(choice.byCores).toEqual([]);
  });

  test('what a late generator adds is not held against a server', () => {
    const late = but(() => ({ pace: { late: 400 } }));
    expect(verdictsOf(choiceOf(late))).toMatchObject({ small: 'meets it', late: "can't tell" });
  });

  test.each<[string, Happened]>([
    ['has dropped requests', { pace: { dropped: 1 } }],
    ['is behind', { ok: 300, inFlight: 200 }],
  ])('who %s can not keep up, and comes last', (_, happened) => {
    const story = but((target) => (target === 'small' ? happened : {}));
    for (const p99Ms of [50, null]) {
      const choice = choiceOf(story, { p99Ms });
      expect(verdictsOf(choice)).toMatchObject({ small: "can't keep up" });
      expect(namesOf(choice.rows).at(-1)).toBe('small');
      expect(namesOf(choice.byCores)).not.toContain('small');
    }
  });
});

describe('at several rates', () => {
  const RATES = [500, 1000, 2000, 4000];
  const carried = ({ rows }: Choice) => {
    return Object.fromEntries(
      rows.map(({ target, load, verdict }) => {
        return [target.name, verdict === 'meets it' ? load.ratePerS : verdict];
      }),
    );
  };
  /** Small is too slow at 2000 alone, and large drops requests from 4000 on. */
  const story = but((target, load) => {
    if (target === 'small' && load === 'rate-2000') return { latenciesMs: [90] };
    return target === 'large' && load === 'rate-4000' ? { pace: { dropped: 10 } } : {};
  });

  test('each is at the highest that it carries before the first at which it fails', () => {
    const choice = choiceOf(story, { rates: RATES });
    expect(carried(choice)).toEqual({ small: 1000, large: 2000, late: 'does not' });
    expect(carried(choiceOf(story, { rates: RATES, p99Ms: null }))).toEqual({
      ...{ small: 4000, large: 2000, late: 4000 },
    });
  });

  test('it is told what a core and a byte carry there, and who carries the most', () => {
    const choice = choiceOf(story, { rates: RATES });
    const [small, large] = choice.rows;
    expect(namesOf(choice.rows)).toEqual(['small', 'large', 'late']);
    expect(small?.perCore).toMatchObject({ value: expect.closeTo(5000 / 1.01, -1) });
    expect(large?.perByte).toMatchObject({ value: expect.closeTo(2000 / 50e6, 9) });
    expect([namesOf(choice.byCores), namesOf(choice.byMemory)]).toEqual([['small'], ['large']]);
  });
});
