import { expect, test } from 'vitest';
import { type Happened, makeRecord, makeTarget } from '../support/make-record.ts';
import { conditionUnder } from '../support/summaries.ts';

const TARGETS = ['a', 'b', 'c', 'd'].map((name) => makeTarget(name));
/** Four launches whose differences are small beside those between the targets. */
const WOBBLE = [0, 1, -1, 0.5];
const IDLE = { all: 400_000, empty: 250_000, idleNs: 2e8 };
const BUSY = { all: 100, empty: 0, idleNs: 0 };

const SPEEDS: Record<string, number> = { a: 1000, b: 4000, c: 3000, d: 2000 };
const COSTS: Record<string, number> = { a: 40, b: 10, c: 20, d: 30 };

type Change = (target: string) => Happened;
test.each<[string, load: string, Change, ranks: string]>([
  [
    'by requests/s, with ties for those that can not be told apart',
    'published',
    (target) => (target === 'c' ? { ok: 2001 } : {}),
    'b 1, c 2=, d 2=, a 4',
  ],
  [
    'by CPU per request under the cost load, the cheapest first',
    'cost',
    (target) => ({ ok: 1000, cpuUsPerResponse: COSTS[target] ?? 0 }),
    'b 1, c 2, d 3, a 4',
  ],
  [
    'only if they are valid',
    'published',
    (target) => (target === 'b' ? { wrongBody: 1 } : {}),
    'b -, c 1, d 2, a 3',
  ],
  [
    'by requests/s without telling apart those of which the generator was the limit of the slower',
    'published',
    (target) => (target === 'c' ? { turns: BUSY } : {}),
    'b 1=, c 1=, d 3, a 4',
  ],
])('cells are ranked %s', (_, load, change, ranks) => {
  const options = { launches: 4, durationS: 12 };
  const record = makeRecord({ options, targets: TARGETS }, ({ target }, launch) => {
    const happened = { ok: SPEEDS[target] ?? 0, cpuUsPerResponse: 10, ...change(target) };
    const wobble = 1 + (WOBBLE[launch] ?? 0) / 1000;
    const ok = Math.round(happened.ok * wobble);
    const cpuUsPerResponse = happened.cpuUsPerResponse * wobble;
    // 1,000 requests are under way, so this is what each takes.
    return { turns: IDLE, latenciesMs: [1e6 / ok], ...happened, ok, cpuUsPerResponse };
  });
  const found = conditionUnder(record, load).cells.map(({ target, rank }) => {
    return `${target.name} ${rank ? `${rank.place}${rank.tied ? '=' : ''}` : '-'}`;
  });
  expect(found.join(', ')).toBe(ranks);
});
