import { describe, expect, test } from 'vitest';
import { conditionSection } from '../../../src/report/sections/condition.ts';
import type { Condition } from '../../../src/summary/conditions.ts';
import { summarize } from '../../../src/summary/summary.ts';
import { type Happened, makeRecord, makeTarget, STACK } from '../../support/make-record.ts';
import { shown } from '../look.ts';

type Targets = Record<string, Happened | null>;

/** The sentence below the table of a condition, measured in slices or unbroken. */
function sentenceOf(condition: Condition | undefined, isContiguous = false): string | undefined {
  if (condition === undefined) throw new Error('there is no condition');
  const method = isContiguous ? 'contiguous' : 'sliced';
  const load = { ...condition.load, method } as const;
  return shown(conditionSection({ ...condition, load }, { details: false }))
    .split('\n')
    .at(-1);
}

/** Of the first condition of a record in which every slice of a target went alike. */
function sentence(happened: Targets, isContiguous = false, targets = STACK): string | undefined {
  const record = makeRecord({ targets }, ({ target }) => happened[target] ?? null);
  return sentenceOf(summarize(record).conditions[0], isContiguous);
}

describe('the sentence of a condition', () => {
  const speeds = { floor: { ok: 4000 }, middle: { ok: 1000 }, top: { ok: 2000 } };
  const wrong = { wrongBody: 1 };
  const invalid = { floor: { ok: 4000, ...wrong }, middle: { wrongStatus: 5 } };

  test.each<[string, Targets, string | RegExp]>([
    ['leaves out what was not measured', { ...speeds, middle: null }, 'top 0.50 times'],
    [
      'of one target gives its figures',
      { floor: { ok: 4000, cpuUsPerResponse: 20 } },
      /^floor answered 4,000.* ±.* requests\/s, at 20.* ±.* µs of CPU each\./,
    ],
    [
      'leaves out what is invalid, however good it looks',
      { ...speeds, floor: { ok: 4000, ...wrong } },
      /^top answered the most requests\/s; middle 0\.50 times as many\./,
    ],
    [
      'leaves out what is invalid beside a single one',
      { floor: { ok: 4000 }, middle: { ok: 1000, ...wrong }, top: null },
      /^floor answered 4,000/,
    ],
    ['says so where all that was measured is invalid', invalid, 'No figure here is valid.'],
    ['says so where nothing was measured', {}, 'Nothing was measured here.'],
  ])('%s', (_, happened, text) => {
    expect(sentence(happened)).toMatch(text);
  });

  test("says who can't be told apart at the top", () => {
    const record = makeRecord({}, ({ target }, launch) => {
      const ok = target === 'top' ? 100 : 1000 + 50 * launch * (target === 'floor' ? 1 : -1);
      return { ok, latenciesMs: [1e6 / ok] };
    });
    expect(sentenceOf(summarize(record).conditions[0])).toContain("can't be told apart");
  });

  test('of a contiguous run says what was answered of what was sent', () => {
    const happened = { ok: 50, timedOut: 100, inFlight: 50 };
    expect(sentence({ floor: happened, top: happened }, true)).toContain(
      'Of 2,400 requests sent, 600 were answered (25.0 %)',
    );
    expect(sentence({ floor: happened })).not.toContain('sent');
    expect(sentence({ floor: { ok: 50 } }, true)).toContain(' Every request was answered.');
    expect(sentence(invalid, true)).toBe('No figure here is valid.');
  });

  test.each([
    ['several targets', STACK],
    ['one target', [makeTarget('floor')]],
  ])('holds no broken figure where nothing was answered by %s', (_, targets) => {
    const nobody = { timedOut: 1000 };
    const text = sentence({ floor: nobody, middle: nobody, top: nobody }, true, targets);
    expect(text).not.toMatch(/NaN|Infinity|–/);
    expect(text).toContain('0 were answered (0 %)');
  });
});
