import { describe, expect, test } from 'vitest';
import { choiceSection } from '../../src/report/sections/choice.ts';
import { ratesOf } from '../../src/suites/rates.ts';
import { type Choice, type ChoiceRow, summarizeChoice } from '../../src/summary/choice.ts';
import { rowsOf, shown } from '../report/look.ts';
import { type Happened, makeRecord, makeTarget, type Story } from '../support/make-record.ts';
import { present, summariesOf } from '../support/summaries.ts';

/** The cores that servers use at 500 requests/s, and their p99, ms. */
const SERVERS: Record<string, { cores: number; p99Ms: number }> = {
  large: { cores: 0.4, p99Ms: 10 },
  late: { cores: 0.05, p99Ms: 80 },
  small: { cores: 0.1, p99Ms: 10 },
};

type Change = (target: string, load: string, launch: number) => Happened;

/** As usual, apart from this: launches differ by a hundredth. */
const story = (change: Change): Story => {
  return ({ target, load }, launch) => {
    const { cores = 0, p99Ms = 0 } = SERVERS[target] ?? {};
    const uneven = 1 + launch / 100;
    return {
      ok: Number(load.replace('rate-', '')),
      latenciesMs: [p99Ms * uneven],
      cpuUsPerResponse: (cores / 500) * 1e6 * uneven,
      serverBytes: 50e6,
      ...change(target, load, launch),
    };
  };
};

type Parts = { rates?: number[]; p99Ms?: number | null; launches?: number };

function choiceOf(change: Change = () => ({}), parts: Parts = {}): Choice {
  const { rates: perSecond = [500], p99Ms = 50, launches = 3 } = parts;
  const p99Ns = p99Ms === null ? null : p99Ms * 1e6;
  const rates = perSecond.map((perS) => ({ kind: 'per second' as const, perS }));
  const options = { rates, p99Ns, launches, durationS: launches };
  const targets = Object.keys(SERVERS).map((name) => makeTarget(name));
  const record = makeRecord({ suite: ratesOf('frameworks'), targets, options }, story(change));
  return summarizeChoice(present(summariesOf(record).rates, 'rate'));
}

const namesOf = (rows: ChoiceRow[]) => rows.map(({ target }) => target.name);
const verdictsOf = ({ rows }: Choice) => {
  return Object.fromEntries(rows.map(({ target, verdict }) => [target.name, verdict]));
};

describe('at one rate', () => {
  test('idle use and the manager count', () => {
    const { rows } = choiceOf(() => ({ idleNsPerS: 5e7, managerBytes: 60e6 }));
    expect(rows[1]?.cores).toMatchObject({ value: expect.closeTo(0.101, 6) });
    expect(rows[1]?.bytes).toMatchObject({ value: 110e6 });
  });

  const noisy: Change = (target, _, launch) => {
    if (target === 'late') return {};
    return { cpuUsPerResponse: target === 'large' ? 200 : ([100, 200, 350][launch] ?? 0) };
  };

  test('among those whose cores can not be told apart it is that with the least memory', () => {
    const same = choiceOf(noisy);
    expect(namesOf(same.byCores).toSorted()).toEqual(['large', 'small']);
    expect(same.byMemory).toHaveLength(2);
    const lighter = choiceOf((target, ...when) => {
      return { ...noisy(target, ...when), ...(target === 'large' ? { serverBytes: 30e6 } : {}) };
    });
    expect(namesOf(lighter.byMemory)).toEqual(['large']);
  });

  const cheapest: Change = (target) => (target === 'late' ? { wrongBody: 1 } : {});
  const tie = 'large and small tie for the fewest cores, large and small for the least memory too';

  test.each<[says: string, ...Parameters<typeof choiceOf>]>([
    ["(fewest cores); can't tell for late, with less CPU.", cheapest],
    [`large and small (${tie}).`, noisy],
    ["a p99 of 50 ms; can't tell for late, small and large.", () => ({ wrongBody: 1 })],
    ['No server is shown to meet a p99 of 5 ms.', undefined, { p99Ms: 5 }],
    ['CPU does not tell which is the cheapest', () => ({ workersCpuMs: [] })],
    ["to meet a p99 of 10.1 ms; can't tell for small and large.", undefined, { p99Ms: 10.1 }],
  ])('it says "%s"', (says, ...given) => {
    const text = shown(choiceSection(choiceOf(...given)));
    expect(text).toContain(says);
    expect(text).not.toContain('Add --p99');
  });

  test.each<[string, ...Parameters<typeof choiceOf>]>([
    ['there is one launch', undefined, { launches: 1 }],
    ['there are fewer than 1,000 answers', undefined, { rates: [300] }],
  ])('it can not be told if %s', (_, ...given) => {
    const choice = choiceOf(...given);
    expect(verdictsOf(choice)).toMatchObject({ small: "can't tell" });
    expect(choice.byCores).toEqual([]);
  });

  test('what a late generator adds is not held against a server', () => {
    const late = choiceOf(() => ({ pace: { late: 400 } }));
    expect(verdictsOf(late)).toMatchObject({ small: 'meets it', late: "can't tell" });
  });

  test.each<[string, Happened]>([
    ['has dropped requests', { pace: { dropped: 1 } }],
    ['is behind', { ok: 300, inFlight: 200 }],
  ])('a server that %s can not keep up, and comes last', (_, happened) => {
    for (const p99Ms of [50, null]) {
      const choice = choiceOf((target) => (target === 'small' ? happened : {}), { p99Ms });
      expect(verdictsOf(choice)).toMatchObject({ small: "can't keep up" });
      expect(namesOf(choice.rows).at(-1)).toBe('small');
      expect(namesOf(choice.byCores)).not.toContain('small');
    }
  });
});

describe('at several rates', () => {
  /** Small is too slow at 2000 alone, and large drops requests from 4000 on. */
  const at = (parts: Parts = {}) => {
    const change: Change = (target, load) => {
      if (target === 'small' && load === 'rate-2000') return { latenciesMs: [90] };
      return target === 'large' && load === 'rate-4000' ? { pace: { dropped: 10 } } : {};
    };
    return choiceOf(change, { rates: [500, 1000, 2000, 4000], ...parts });
  };
  const carried = ({ rows }: Choice) => {
    const each = rows.map(({ target, load, verdict }): [string, unknown] => {
      return [target.name, verdict === 'meets it' ? load.ratePerS : verdict];
    });
    return Object.fromEntries(each);
  };

  test('each is at the highest that it sustains before the first at which it fails', () => {
    expect(carried(at())).toEqual({ small: 1000, large: 2000, late: 'does not' });
    expect(carried(at({ p99Ms: null }))).toEqual({ small: 4000, large: 2000, late: 4000 });
  });

  test('it says what a core and a GB carry', () => {
    const section = choiceSection(choiceOf(undefined, { rates: [500, 1000] }));
    expect(rowsOf(section)).toEqual([
      ['small', '1,000', '10.11 ±0.25', '4,951 ±122', '20,000.00 ±0.00'],
      ['large', '1,000', '10.11 ±0.25', '1,238 ±30', '20,000.00 ±0.00'],
      ['late', 'does not', '–', '–', '–'],
    ]);
    expect(shown(section)).toMatch(/^Which server: requests\/s per core and per GB\n/);
    expect(shown(section)).toContain(
      'up to which the server is shown to meet a p99 of 50 ms. No higher rate was measured for small and large. ' +
        'Most requests/s per core: small. Most requests/s per GB: small and large (tied).',
    );
    const none = choiceOf(() => ({ pace: { dropped: 1 } }), { rates: [500, 1000], p99Ms: null });
    const text = shown(choiceSection(none));
    expect(text).toContain('No server is shown to keep up at any measured rate.');
    expect(text).not.toContain('Most requests/s');
  });
});
