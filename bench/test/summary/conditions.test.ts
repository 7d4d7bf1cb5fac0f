import { describe, expect, test } from 'vitest';
import { type Condition, summarizeConditions } from '../../src/summary/conditions.ts';
import { type Happened, makeRecord, makeTarget } from '../support/make-record.ts';

const TARGETS = ['a', 'b', 'c', 'd'].map((name) => makeTarget(name));
/** Four launches whose differences are small beside those between the targets. */
const WOBBLE = [0, 1, -1, 0.5];
const IDLE = { all: 400_000, empty: 250_000, idleNs: 2e8 };
const BUSY = { all: 100, empty: 0, idleNs: 0 };

/** The condition of a load in a run of four launches, in which each target went as told. */
function conditionOf(load: 'published' | 'cost', story: (target: string) => Happened): Condition {
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
  const condition = summarizeConditions(record).find((each) => each.load.id === load);
  if (condition === undefined) throw new Error(`there is no ${load} load`);
  return condition;
}

/** Names in the order of the table, with their ranks as the report prints them. */
function ranksOf({ cells }: Condition): string[] {
  return cells.map(({ target, rank }) => {
    return `${target.name} ${rank ? `${rank.place}${rank.tied ? '=' : ''}` : '-'}`;
  });
}

describe('the cells of a condition', () => {
  test('are ranked by requests/s, with ties for those that can not be told apart', () => {
    const speeds: Record<string, number> = { a: 1000, b: 4000, c: 2001, d: 2000 };
    const condition = conditionOf('published', (target) => ({ ok: speeds[target] ?? 0 }));
    expect(ranksOf(condition)).toEqual(['b 1', 'c 2=', 'd 2=', 'a 4']);
  });

  test('are ranked by CPU per request under the cost load, the cheapest first', () => {
    const costs: Record<string, number> = { a: 40, b: 10, c: 20, d: 30 };
    const condition = conditionOf('cost', (target) => ({
      ok: 1000,
      cpuUsPerResponse: costs[target] ?? 0,
    }));
    expect(ranksOf(condition)).toEqual(['b 1', 'c 2', 'd 3', 'a 4']);
  });

  test('have no rank where they are invalid or have no figures', () => {
    const speeds: Record<string, number> = { a: 1000, b: 4000, c: 3000, d: 2000 };
    const condition = conditionOf('published', (target) => ({
      ok: speeds[target] ?? 0,
      wrongBody: target === 'b' ? 1 : 0,
    }));
    expect(ranksOf(condition)).toEqual(['b -', 'c 1', 'd 2', 'a 3']);
  });

  test('are not told apart by requests/s where the generator was the limit of the slower one', () => {
    const speeds: Record<string, number> = { a: 1000, b: 4000, c: 3000, d: 2000 };
    const condition = conditionOf('published', (target) => ({
      ok: speeds[target] ?? 0,
      turns: target === 'c' ? BUSY : IDLE,
    }));
    expect(ranksOf(condition)).toEqual(['b 1=', 'c 1=', 'd 3', 'a 4']);
  });
});
