import { expect, test } from 'vitest';
import { conditionSection } from '../../../src/report/sections/condition.ts';
import { summarize } from '../../../src/summary/summary.ts';
import { type Happened, makeRecord, makeTarget, STACK } from '../../support/make-record.ts';
import { present } from '../../support/summaries.ts';
import { shown } from '../look.ts';

type Targets = Record<string, Happened | null>;

/** The sentence below the first table of a record in which every slice of a target went alike. */
function sentence(happened: Targets, isContiguous = false, targets = STACK): string | undefined {
  const record = makeRecord({ targets }, ({ target }) => happened[target] ?? null);
  const condition = present(summarize(record).conditions[0], 'condition');
  const method = isContiguous ? 'contiguous' : 'sliced';
  const load = { ...condition.load, method } as const;
  const text = shown(conditionSection({ ...condition, load }, false));
  return text.split('\n').at(-1);
}

const speeds = { floor: { ok: 4000 }, middle: { ok: 1000 }, top: { ok: 2000 } };
const wrong = { wrongBody: 1 };
const invalid = { floor: { ok: 4000, ...wrong }, middle: { wrongStatus: 5 } };

test.each<[string | RegExp, Targets]>([
  ['top 0.50 [0.50, 0.50] times', { ...speeds, middle: null }],
  [
    /^floor answered 4,000.* ±.* requests\/s, at 20.* ±.* µs of CPU each\./,
    { floor: { ok: 4000, cpuUsPerResponse: 20 } },
  ],
  // However good an invalid figure looks.
  [
    /^top answered the most requests\/s; middle 0\.50 \[0\.50, 0\.50\] times as many\./,
    { ...speeds, floor: { ok: 4000, ...wrong } },
  ],
  [/^floor answered 4,000/, { floor: { ok: 4000 }, middle: { ok: 1000, ...wrong }, top: null }],
  ['No figure here is valid.', invalid],
  ['Nothing was measured here.', {}],
])('the sentence is "%s"', (text, happened) => {
  expect(sentence(happened)).toMatch(text);
});

test.each([
  [['floor'], '; top at most 0.50 [0.50, 0.50] times as many.'],
  [['top'], '; top at least 0.50 [0.50, 0.50] times as many.'],
  [['floor', 'top'], 'floor answered the most requests/s.'],
])('the sentence says how a ratio may be wrong where the generator limits %j', (bound, part) => {
  // A generator that never sleeps, and hardly waits for an answer.
  const turnsOf = (name: string) => {
    return { all: 30_000, empty: 29_900, idleNs: bound.includes(name) ? 2e7 : 9e8 };
  };
  const floor = { ok: 2000, turns: turnsOf('floor') };
  expect(sentence({ floor, top: { ok: 1000, turns: turnsOf('top') } })).toContain(part);
});

test('the sentence of a contiguous run says what was answered of what was sent', () => {
  const happened = { ok: 50, timedOut: 100, inFlight: 50 };
  expect(sentence({ floor: happened, top: happened }, true)).toContain(
    'Of 2,400 requests sent, 600 were answered (25.0 %)',
  );
  expect(sentence({ floor: happened })).not.toContain('sent');
  expect(sentence(invalid, true)).toBe('No figure here is valid.');
});

test.each([
  ['several targets', STACK],
  ['one target', [makeTarget('floor')]],
])('the sentence holds no broken figure where nothing was answered by %s', (_, targets) => {
  const nobody = { timedOut: 1000 };
  const text = sentence({ floor: nobody, middle: nobody, top: nobody }, true, targets);
  expect(text).not.toMatch(/NaN|Infinity|–/);
  expect(text).toContain('0 were answered (0 %)');
});
