import { expect, test } from 'vitest';
import { layerSections } from '../../src/report/sections/variants.ts';
import { type LayerTable, summarizeLayers } from '../../src/summary/layers.ts';
import { rowsOf } from '../report/look.ts';
import { micro } from '../support/estimates.ts';
import { LADDER, makeLadderRecord } from '../support/make-ladder-record.ts';
import { conditionUnder, present } from '../support/summaries.ts';

const SWAP = { variant: 'ajv by hand', own: 'own validator' };

function tableOf(parts: Parameters<typeof makeLadderRecord>[0] = {}): LayerTable | null {
  const record = makeLadderRecord(parts);
  return summarizeLayers(conditionUnder(record, 'cost'), { lowest: 'text', swap: SWAP });
}

/** Of each layer in µs: a whole request of the lowest, what the others cost more. */
function told(table: LayerTable | null) {
  return table?.rows.map(({ variant, place, cells }) => [
    variant,
    place,
    ...cells.map((cell) =>
      micro(place === 'lowest' ? cell?.cpuNs : cell?.more?.comparison.difference),
    ),
  ]);
}

test('the layers have a gap if a framework has none, or it was not measured', () => {
  const targets = LADDER.filter(({ name }) => name !== 'express-error');
  const table = tableOf({ targets, without: (id) => id.startsWith('nest-json/') });
  expect(told(table)?.map(([variant, , ...cells]) => [variant, ...cells])).toEqual([
    [null, 10, 30, 40],
    ['json', 2, 5, null],
    ['body', 28, 45, null],
    ['error', 20, null, null],
  ]);
});

test('the layers are none if nothing was measured', () => {
  expect(tableOf({ without: () => true })).toBeNull();
});

const endpointsWithout = (isOut: (name: string) => boolean) => {
  const targets = LADDER.filter(({ name }) => !isOut(name));
  return tableOf({ targets })?.endpoints ?? [];
};
const ownWithout = (isOut: (name: string) => boolean) => {
  return endpointsWithout(isOut).map(({ own }) => micro(own?.comparison.difference));
};

test('the whole endpoint is the framework with its own validator if the other one was left out', () => {
  const [, , nest] = endpointsWithout((name) => name === 'nest-body-ajv');
  expect([micro(nest?.own?.comparison.difference), nest?.swapped]).toEqual([100, null]);
});

test('the whole endpoint is not known of the framework without a floor, or if that stops at another layer', () => {
  expect(ownWithout((name) => name.startsWith('floor'))).toEqual([null, null]);
  expect(ownWithout((name) => name === 'floor-body')).toEqual([null, null, null]);
});

test('a framework that costs less than the floor has no share of its endpoint', () => {
  const table = tableOf({ noise: (id) => (id.startsWith('express') ? 0.25 : 1) });
  const [, endpoints] = layerSections(present(table, 'layer'));
  const [, express] = rowsOf(present(endpoints, 'endpoint'));
  // A quarter of 80 µs, beside the 40 µs of the floor.
  expect(express?.slice(0, 5)).toEqual(['Express', '20.00 ±0.00', '-20.00 ±0.00', '–', 'faster']);
});
