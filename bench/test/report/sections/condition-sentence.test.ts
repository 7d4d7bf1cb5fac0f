import { describe, expect, test } from 'vitest';
import { conditionSentence } from '../../../src/report/sections/condition-sentence.ts';
import type { RunOptions } from '../../../src/request/run-options.ts';
import type { Condition } from '../../../src/summary/conditions.ts';
import { summarize } from '../../../src/summary/summary.ts';
import {
  type Happened,
  type makeMachine,
  makeRecord,
  makeTarget,
  STACK,
} from '../../support/make-record.ts';

interface Setting {
  options?: Partial<RunOptions>;
  machine?: ReturnType<typeof makeMachine>;
  targets?: typeof STACK;
}

/** The first condition of a record in which every slice of a target went alike. */
function conditionOf(happened: Record<string, Happened | null>, setting: Setting = {}): Condition {
  const record = makeRecord(setting, ({ target }) => happened[target] ?? null);
  const [condition] = summarize(record).conditions;
  if (condition === undefined) throw new Error('there is no condition');
  return condition;
}

/** What it shows, measured in slices or unbroken. */
function sentenceOf(condition: Condition, isContiguous: boolean): string {
  const method = isContiguous ? 'contiguous' : 'sliced';
  return conditionSentence({ ...condition, load: { ...condition.load, method } });
}

describe('the sentence of a condition', () => {
  const speeds = { floor: { ok: 4000 }, middle: { ok: 1000 }, top: { ok: 2000 } };

  test('names the fastest and the slowest with their ratio', () => {
    expect(sentenceOf(conditionOf(speeds), false)).toBe(
      'floor answered the most requests/s; middle 0.25 times as many.',
    );
  });

  test('leaves out what was not measured', () => {
    const sentence = sentenceOf(conditionOf({ ...speeds, middle: null }), false);
    expect(sentence).toContain('top 0.50 times');
  });

  test('of one target gives its figures', () => {
    const condition = conditionOf({ floor: { ok: 4000, cpuUsPerResponse: 20 } });
    expect(sentenceOf(condition, false)).toMatch(
      /^floor answered 4,000.* ±.* requests\/s, for 20.* ±.* µs of CPU each\.$/,
    );
  });

  test('leaves out what is invalid, however good it looks', () => {
    const invalid = { ...speeds, floor: { ok: 4000, wrongBody: 1 } };
    expect(sentenceOf(conditionOf(invalid), false)).toBe(
      'top answered the most requests/s; middle 0.50 times as many.',
    );
    const alone = { floor: { ok: 4000 }, middle: { ok: 1000, wrongBody: 1 }, top: null };
    expect(sentenceOf(conditionOf(alone), false)).toMatch(/^floor answered 4,000/);
  });

  test('says so where all that was measured is invalid', () => {
    const invalid = { floor: { ok: 4000, wrongBody: 1 }, middle: { wrongStatus: 5 } };
    expect(sentenceOf(conditionOf(invalid), false)).toBe('No figure here is valid.');
    expect(sentenceOf(conditionOf(invalid), true)).toBe('No figure here is valid.');
  });

  test('says so where nothing was measured', () => {
    expect(sentenceOf(conditionOf({}), false)).toBe('Nothing was measured here.');
  });

  test('under the cost load names who used the least CPU and the most', () => {
    const costs: Record<string, number> = { floor: 10, middle: 30, top: 20 };
    const record = makeRecord({}, ({ target }) => ({
      ok: 9,
      cpuUsPerResponse: costs[target] ?? 0,
    }));
    const { conditions } = summarize(record);
    const condition = conditions.find(({ load }) => load.id === 'cost');
    expect(condition && sentenceOf(condition, false)).toBe(
      'floor used the least CPU; middle 3.00 times as much.',
    );
  });

  test("says who can't be told apart at the top", () => {
    const record = makeRecord({}, ({ target }, launch) => {
      const ok = target === 'top' ? 100 : 1000 + 50 * launch * (target === 'floor' ? 1 : -1);
      return { ok, latenciesMs: [1e6 / ok] };
    });
    const [condition] = summarize(record).conditions;
    const sentence = condition && sentenceOf(condition, false);
    expect(sentence).toContain("can't be told apart");
  });

  test('of a contiguous run says what was answered of what was sent', () => {
    const happened = { ok: 50, timedOut: 100, inFlight: 50 };
    const sentence = sentenceOf(conditionOf({ floor: happened, top: happened }), true);
    expect(sentence).toContain('Of 2,400 requests sent, 600 were answered (25.0 %)');
    expect(sentenceOf(conditionOf({ floor: happened }), false)).not.toContain('sent');
  });

  test('of a contiguous run says so where all was answered', () => {
    const sentence = sentenceOf(conditionOf({ floor: { ok: 50 } }), true);
    expect(sentence).toMatch(/ Every request was answered\.$/);
  });

  test.each([
    ['several targets', STACK],
    ['one target', [makeTarget('floor')]],
  ])('holds no broken figure where nothing was answered by %s', (_, targets) => {
    const nobody = { timedOut: 1000 };
    const condition = conditionOf({ floor: nobody, middle: nobody, top: nobody }, { targets });
    const sentence = sentenceOf(condition, true);
    expect(sentence).not.toMatch(/NaN|Infinity|–/);
    expect(sentence).toContain('0 were answered (0 %)');
  });
});
