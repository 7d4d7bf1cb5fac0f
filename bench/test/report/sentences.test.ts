import { describe, expect, test } from 'vitest';
import type { Estimate } from '../../src/math/statistics.ts';
import {
  conditionSentence,
  overheadSentence,
  publishedSentence,
  topologySentence,
} from '../../src/report/sentences.ts';
import type { RunOptions } from '../../src/request/run-options.ts';
import type { PublishedComparison } from '../../src/summary/comparisons.ts';
import type { Condition } from '../../src/summary/conditions.ts';
import { summarize } from '../../src/summary/summary.ts';
import {
  type Happened,
  interval,
  type makeMachine,
  makeRecord,
  makeTarget,
  STACK,
} from '../support/make-record.ts';

const [floor, middle, top] = STACK;
if (!floor || !middle || !top) throw new Error('there are three targets');
const [single, two] = makeRecord({ options: { topologies: ['single', 2] } }, () => null).plan
  .topologies;
if (!single || !two) throw new Error('there are two topologies');

interface Setting {
  options?: Partial<RunOptions>;
  machine?: ReturnType<typeof makeMachine>;
  targets?: typeof STACK;
}

/** The first condition of a record in which every slice of a target went alike. */
function conditionOf(happened: Record<string, Happened | null>, setting: Setting = {}): Condition {
  const record = makeRecord(setting, ({ target }) => happened[target] ?? null);
  const [condition] = summarize(record, { source: '', cpu: '', results: [] }).conditions;
  if (condition === undefined) throw new Error('there is no condition');
  return condition;
}

describe('the sentence of a condition', () => {
  const speeds = { floor: { ok: 4000 }, middle: { ok: 1000 }, top: { ok: 2000 } };

  test('names the fastest and the slowest with their ratio', () => {
    expect(conditionSentence(conditionOf(speeds), false)).toBe(
      'floor answered the most, 4,000 requests/s; middle the fewest, 1,000, which is 0.25 times as many.',
    );
  });

  test('leaves out what was not measured', () => {
    const sentence = conditionSentence(conditionOf({ ...speeds, middle: null }), false);
    expect(sentence).toContain('top the fewest, 2,000, which is 0.50 times');
  });

  test('of one target gives its figures', () => {
    const condition = conditionOf({ floor: { ok: 4000, cpuUsPerResponse: 20 } });
    expect(conditionSentence(condition, false)).toMatch(
      /^floor answered 4,000.* ±.* requests\/s, for 20.* ±.* µs of CPU each\.$/,
    );
  });

  test('leaves out what is invalid, however good it looks', () => {
    const invalid = { ...speeds, floor: { ok: 4000, wrongBody: 1 } };
    expect(conditionSentence(conditionOf(invalid), false)).toBe(
      'top answered the most, 2,000 requests/s; middle the fewest, 1,000, which is 0.50 times as many.',
    );
    const alone = { floor: { ok: 4000 }, middle: { ok: 1000, wrongBody: 1 }, top: null };
    expect(conditionSentence(conditionOf(alone), false)).toMatch(/^floor answered 4,000/);
  });

  test('says so where all that was measured is invalid', () => {
    const invalid = { floor: { ok: 4000, wrongBody: 1 }, middle: { wrongStatus: 5 } };
    expect(conditionSentence(conditionOf(invalid), false)).toBe('No figure here is valid.');
    expect(conditionSentence(conditionOf(invalid), true)).toBe('No figure here is valid.');
  });

  test('says so where nothing was measured', () => {
    expect(conditionSentence(conditionOf({}), false)).toBe('Nothing was measured here.');
  });

  test('under the cost load names who used the least CPU and the most', () => {
    const costs: Record<string, number> = { floor: 10, middle: 30, top: 20 };
    const record = makeRecord({}, ({ target }) => ({
      ok: 9,
      cpuUsPerResponse: costs[target] ?? 0,
    }));
    const { conditions } = summarize(record, null);
    const condition = conditions.find(({ load }) => load.id === 'cost');
    expect(condition && conditionSentence(condition, false)).toBe(
      'floor used the least CPU, 10.0 µs a request; middle the most, 30.0 µs, which is 3.00 times as much.',
    );
  });

  test("says who can't be told apart at the top", () => {
    const record = makeRecord({}, ({ target }, launch) => {
      const ok = target === 'top' ? 100 : 1000 + 50 * launch * (target === 'floor' ? 1 : -1);
      return { ok, latenciesMs: [1e6 / ok] };
    });
    const [condition] = summarize(record, null).conditions;
    const sentence = condition && conditionSentence(condition, false);
    expect(sentence).toContain("can't be told apart");
  });

  test('of a contiguous run says what was answered of what was sent', () => {
    const happened = { ok: 50, timedOut: 100, inFlight: 50 };
    const sentence = conditionSentence(conditionOf({ floor: happened, top: happened }), true);
    expect(sentence).toContain('Of 2,400 requests sent, 600 were answered (25.0 %)');
    expect(conditionSentence(conditionOf({ floor: happened }), false)).not.toContain('sent');
  });

  test('of a contiguous run says so where all was answered', () => {
    const sentence = conditionSentence(conditionOf({ floor: { ok: 50 } }), true);
    expect(sentence).toMatch(/ Every request was answered\.$/);
  });

  test.each([
    ['several targets', STACK],
    ['one target', [makeTarget('floor')]],
  ])('holds no broken figure where nothing was answered by %s', (_, targets) => {
    const nobody = { timedOut: 1000 };
    const condition = conditionOf({ floor: nobody, middle: nobody, top: nobody }, { targets });
    const sentence = conditionSentence(condition, true);
    expect(sentence).not.toMatch(/NaN|Infinity|–/);
    expect(sentence).toContain('0 were answered (0 %)');
  });
});

describe('the sentence of overheads', () => {
  const row = (target: typeof top, over: typeof top, cpuNs: Estimate) => ({
    ...{ target, over, cpuNs },
    comparison: { ratio: interval(1.1, 1, 1.2), verdict: 'slower' as const },
    flags: [],
  });

  test('names the dearest step', () => {
    const rows = [
      row(middle, floor, interval(2000, 1000, 3000)),
      row(top, middle, interval(9000, 8000, 10_000)),
    ];
    for (const each of [rows, [...rows].reverse()]) {
      expect(overheadSentence(each)).toContain(
        'a server on top +9.0 ±1.0 µs of CPU over middle, the most of all steps here',
      );
    }
  });

  test('says so where no step costs anything', () => {
    const rows = [
      row(middle, floor, interval(-3000, -4000, -2000)),
      row(top, middle, interval(-1000, -2000, 0)),
    ];
    expect(overheadSentence(rows)).toBe('No step here costs more CPU than what it is built on.');
  });
});

describe('the sentence of topologies', () => {
  const row = (target: typeof top, ratio: Estimate | null) => {
    const rest = { throughput: interval(1, 1, 1), cpuPerRequest: interval(1, 1, 1) };
    const speedUp = ratio && { ratio, verdict: 'faster' as const };
    return {
      target,
      entries: [
        { topology: single, ...rest, speedUp: null },
        { topology: two, ...rest, speedUp },
      ],
    };
  };

  test('names what gained the most, and how', () => {
    const rows = [row(floor, interval(1.5, 1.4, 1.6)), row(top, interval(1.8, 1.7, 1.9))];
    expect(topologySentence(rows)).toBe(
      'top gained the most from more processes: 1.80 [1.70, 1.90] times the requests/s of one process as 2.',
    );
  });

  test('does not speak of a gain where more processes are slower', () => {
    const rows = [row(floor, interval(0.5, 0.4, 0.6)), row(top, interval(0.8, 0.7, 0.9))];
    expect(topologySentence(rows)).not.toMatch(/gained/);
    expect(topologySentence(rows)).toContain('0.80 [0.70, 0.90]');
  });

  test('says so where there is nothing to compare with', () => {
    expect(topologySentence([row(floor, null)])).toBe(
      'There is no single process to compare the clusters with.',
    );
  });
});

describe('the sentence of published ratios', () => {
  const row = (published: number, measured: number): PublishedComparison => ({
    ...{ target: top, topology: 'single', base: { target: floor, topology: 'single' } },
    ...{ published, measured: { kind: 'point', value: measured } },
  });

  test('counts those more than 10 % away, on either side', () => {
    const rows = [row(1, 1.12), row(1, 1 / 1.12), row(2, 2.1), row(0.5, 0.5)];
    expect(publishedSentence(rows)).toMatch(/^Of 4 published ratios, 2 are more than 10 % away/);
  });

  test('speaks of a single one in the singular', () => {
    const where = 'what was measured here.';
    expect(publishedSentence([row(1, 2)])).toBe(
      `The published ratio is more than 10 % away from ${where}`,
    );
    expect(publishedSentence([row(1, 1)])).toBe(`The published ratio is within 10 % of ${where}`);
    expect(publishedSentence([row(1, 2), row(1, 1)])).toBe(
      `Of 2 published ratios, 1 is more than 10 % away from ${where}`,
    );
  });

  test('says that all are within 10 % where they are', () => {
    const sentence = publishedSentence([row(1, 1.09), row(5, 4.6)]);
    expect(sentence).toMatch(/^Every published ratio is within 10 %/);
  });
});
