import { describe, expect, test } from 'vitest';
import { THROUGHPUT } from '../../src/figures/figures.ts';
import { compareCells, comparisonOf } from '../../src/summary/compare-cells.ts';
import type { CellSummary } from '../../src/summary/conditions.ts';
import type { Happened } from '../support/make-record.ts';
import { makeRecord } from '../support/make-record.ts';
import { summaryOf } from '../support/summaries.ts';

/** `middle` beside the floor under the cost load, twice as dear, where this happens to it and to the floor. */
function compared({ own = {}, base = {} }: { own?: Happened; base?: Happened } = {}) {
  const record = makeRecord({}, ({ target }, launch) => {
    const cpuUsPerResponse = (target === 'floor' ? 10 : 20) * (1 + launch / 1000);
    const more = target === 'middle' ? own : target === 'floor' ? base : {};
    return { ok: target === 'floor' ? 2000 : 1000, cpuUsPerResponse, ...more };
  });
  const { conditions } = summaryOf(record);
  const cells = conditions.find(({ load }) => load.id === 'cost')?.cells ?? [];
  const named = (name: string): CellSummary => {
    const found = cells.find(({ target }) => target.name === name);
    if (found === undefined) throw new Error(`no ${name}`);
    return found;
  };
  return { record, pairs: [{ own: named('middle'), base: named('floor') }] };
}

const UNSETTLED = { hasSettled: false } satisfies Happened;

describe('a cell beside another one', () => {
  test('has more CPU per request, or fewer requests/s', () => {
    const { record, pairs } = compared();
    const [cpu] = compareCells(record, pairs);
    expect(cpu?.comparison).toMatchObject({ verdict: 'slower', ratio: { value: 2 } });
    const [rate] = compareCells(record, pairs, { figure: THROUGHPUT, aspect: 'throughput' });
    expect(rate?.comparison).toMatchObject({ verdict: 'slower', ratio: { value: 0.5 } });
  });

  test.each([
    ['its own', { own: UNSETTLED }, ['UNSETTLED']],
    // Its row tells it.
    ['that of the other', { base: UNSETTLED }, []],
  ])('has no verdict where a flag spoils the figure, be it %s', (_, happened, codes) => {
    const { record, pairs } = compared(happened);
    const [found] = compareCells(record, pairs);
    expect(found?.comparison).toMatchObject({ verdict: "can't tell", ratio: { value: 2 } });
    expect(found?.flags.map(({ code }) => code)).toEqual(codes);
  });

  test('is no pair where the two share no launch', () => {
    const { record, pairs } = compared();
    const apart = {
      ...record,
      slices: record.slices.filter(({ cell, launch }) => {
        return cell.startsWith('floor/') === (launch === 0);
      }),
    };
    const [found] = compareCells(apart, pairs);
    expect(found).toMatchObject({ isPaired: false, comparison: { verdict: "can't tell" } });
    expect(comparisonOf(found)).toBeNull();
  });
});
