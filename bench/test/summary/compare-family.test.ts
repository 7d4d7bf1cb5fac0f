import { describe, expect, test } from 'vitest';
import { THROUGHPUT } from '../../src/figures/figures.ts';
import { type CellPair, compareFamily } from '../../src/summary/compare-family.ts';
import { cellIn } from '../../src/summary/conditions.ts';
import { type Happened, makeRecord } from '../support/make-record.ts';
import { summaryOf } from '../support/summaries.ts';

/** `middle` beside the floor under the cost load, twice as dear, where this happens to it and to the floor. */
function compared({ own = {}, base = {} }: { own?: Happened; base?: Happened } = {}) {
  const record = makeRecord({}, ({ target }, launch) => {
    const cpuUsPerResponse = (target === 'floor' ? 10 : 20) * (1 + launch / 1000);
    const more = target === 'middle' ? own : target === 'floor' ? base : {};
    return { ok: target === 'floor' ? 2000 : 1000, cpuUsPerResponse, ...more };
  });
  const condition = summaryOf(record).conditions.find(({ load }) => load.id === 'cost');
  const [floor, middle] = record.targets.map((target) => condition && cellIn(condition, target));
  if (middle === undefined) throw new Error('no middle');
  const pair: CellPair = { summary: middle, base: floor };
  return { record, pair };
}

const UNSETTLED = { hasSettled: false } satisfies Happened;

describe('a cell beside another one', () => {
  test('has more CPU per request, or fewer requests/s', () => {
    const { record, pair } = compared();
    const [cpu] = compareFamily(record, [pair]);
    expect(cpu?.comparison).toMatchObject({ verdict: 'slower', ratio: { value: 2 } });
    const [rate] = compareFamily(record, [pair], THROUGHPUT);
    expect(rate?.comparison).toMatchObject({ verdict: 'slower', ratio: { value: 0.5 } });
  });

  test.each([
    ['its own', { own: UNSETTLED }, ['UNSETTLED']],
    // Its row tells it.
    ['that of the other', { base: UNSETTLED }, []],
  ])('has no verdict where a flag spoils the figure, be it %s', (_, happened, codes) => {
    const { record, pair } = compared(happened);
    const [found] = compareFamily(record, [pair]);
    expect(found?.comparison).toMatchObject({ verdict: "can't tell", ratio: { value: 2 } });
    expect(found?.flags.map(({ code }) => code)).toEqual(codes);
  });

  test('is not compared where the two share no launch, with itself, or with nothing', () => {
    const { record, pair } = compared();
    const slices = record.slices.filter(({ cell, launch }) => {
      return cell.startsWith('floor/') === (launch === 0);
    });
    const others = [
      { ...pair, base: pair.summary },
      { ...pair, base: null },
    ];
    for (const each of [
      ...compareFamily({ ...record, slices }, [pair]),
      ...compareFamily(record, others),
    ]) {
      expect(each).toMatchObject({ comparison: null, flags: [], isKnown: false });
    }
  });
});
