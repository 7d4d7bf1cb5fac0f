import { expect, test } from 'vitest';
import { summarizeConditions } from '../../src/summary/conditions.ts';
import { type Happened, makeRecord, makeTarget } from '../support/make-record.ts';

const TARGETS = ['a', 'b', 'c', 'd'].map((name) => makeTarget(name));
/** Four launches whose differences are small beside those between the targets. */
const WOBBLE = [0, 1, -1, 0.5];
const IDLE = { all: 400_000, empty: 250_000, idleNs: 2e8 };
const BUSY = { all: 100, empty: 0, idleNs: 0 };

/** Names in the order of a load's table, with their ranks as the report prints them, where each target went as told. */
function ranksUnder(id: 'published' | 'cost', story: (target: string) => Happened): string[] {
  const options = { launches: 4, durationS: 12 };
  const record = makeRecord({ options, targets: TARGETS }, ({ target }, launch) => {
    const { ok = 0, cpuUsPerResponse = 10, ...others } = story(target);
    const wobble = 1 + (WOBBLE[launch] ?? 0) / 1000;
    const answered = Math.round(ok * wobble);
    return {
      ...{ ok: answered, cpuUsPerResponse: cpuUsPerResponse * wobble, turns: IDLE },
      // 1,000 requests are under way, so this is what each takes.
      latenciesMs: [1e6 / answered],
      ...others,
    };
  });
  const condition = summarizeConditions(record).find(({ load }) => load.id === id);
  return (condition?.cells ?? []).map(({ target, rank }) => {
    return `${target.name} ${rank ? `${rank.place}${rank.tied ? '=' : ''}` : '-'}`;
  });
}

const SPEEDS: Record<string, number> = { a: 1000, b: 4000, c: 3000, d: 2000 };
const speedOf = (target: string) => ({ ok: SPEEDS[target] ?? 0 });

test('cells are ranked by requests/s, with ties for those that can not be told apart', () => {
  const alike = (target: string) => (target === 'c' ? { ok: 2001 } : speedOf(target));
  expect(ranksUnder('published', alike)).toEqual(['b 1', 'c 2=', 'd 2=', 'a 4']);
});

test('cells are ranked by CPU per request under the cost load, the cheapest first', () => {
  const costs: Record<string, number> = { a: 40, b: 10, c: 20, d: 30 };
  const cost = (target: string) => ({ ok: 1000, cpuUsPerResponse: costs[target] ?? 0 });
  expect(ranksUnder('cost', cost)).toEqual(['b 1', 'c 2', 'd 3', 'a 4']);
});

test('cells have no rank where they are invalid', () => {
  const wrong = (target: string) => ({ ...speedOf(target), wrongBody: target === 'b' ? 1 : 0 });
  expect(ranksUnder('published', wrong)).toEqual(['b -', 'c 1', 'd 2', 'a 3']);
});

test('cells are not told apart by requests/s where the generator was the limit of the slower one', () => {
  const bound = (target: string) => ({ ...speedOf(target), turns: target === 'c' ? BUSY : IDLE });
  expect(ranksUnder('published', bound)).toEqual(['b 1=', 'c 1=', 'd 3', 'a 4']);
});
