import { expect, test } from 'vitest';
import { THROUGHPUT } from '../../src/figures/figures.ts';
import { compareFamily } from '../../src/summary/compare-family.ts';
import { type CellSummary, cellIn } from '../../src/summary/conditions.ts';
import { type Happened, makeRecord } from '../support/make-record.ts';
import { conditionUnder } from '../support/summaries.ts';

/** `middle` and the floor under the cost load, twice as expensive, where this happens to it and to the floor. */
function compared({ own = {}, base = {} }: { own?: Happened; base?: Happened } = {}) {
  const record = makeRecord({}, ({ target }, launch) => {
    const cpuUsPerResponse = (target === 'floor' ? 10 : 20) * (1 + launch / 1000);
    const more = target === 'middle' ? own : target === 'floor' ? base : {};
    return { ok: target === 'floor' ? 2000 : 1000, cpuUsPerResponse, ...more };
  });
  const condition = conditionUnder(record, 'cost');
  const [floor, middle] = record.targets.map((target) => cellIn(condition, target));
  if (middle === undefined || floor === undefined) throw new Error('both were measured');
  return { record, pair: { summary: middle, base: floor } };
}

test('a cell has more CPU per request than another one, or fewer requests/s', () => {
  const { record, pair } = compared();
  const [cpu] = compareFamily(record, [pair]);
  expect(cpu?.comparison).toMatchObject({ verdict: 'slower', ratio: { value: 2 } });
  const [rate] = compareFamily(record, [pair], THROUGHPUT);
  expect(rate?.comparison).toMatchObject({ verdict: 'slower', ratio: { value: 0.5 } });
});

const UNSETTLED = { hasSettled: false } satisfies Happened;
test.each([
  ['its own', { own: UNSETTLED }, ['UNSETTLED']],
  // Its row shows it.
  ['that of the other', { base: UNSETTLED }, []],
])('there is no verdict if a flag spoils the figure: %s', (_, happened, codes) => {
  const { record, pair } = compared(happened);
  const [found] = compareFamily(record, [pair]);
  expect(found?.comparison).toMatchObject({ verdict: "can't tell", ratio: { value: 2 } });
  expect(found?.flags.map(({ code }) => code)).toEqual(codes);
});

test('nothing is compared with what shares no launch with it, with itself, or with nothing', () => {
  const { record, pair } = compared();
  const { summary, base } = pair;
  const without = (cell: CellSummary, launch: number) => {
    return { ...cell, slices: cell.slices.filter((slice) => slice.launch !== launch) };
  };
  const pairs = [
    { summary: without(summary, 0), base: without(base, 1) },
    { summary, base: summary },
    { summary, base: null },
  ];
  for (const each of compareFamily(record, pairs)) {
    expect(each).toMatchObject({ comparison: null, flags: [], isKnown: false });
  }
});
