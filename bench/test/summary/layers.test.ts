import { expect, test } from 'vitest';
import { layerSections } from '../../src/report/sections/variants.ts';
import { summarizeDecompositions } from '../../src/summary/decomposition.ts';
import { type LayerTable, summarizeLayers } from '../../src/summary/layers.ts';
import { summarizeMains } from '../../src/summary/levels.ts';
import { rowsOf } from '../report/look.ts';
import { micro } from '../support/estimates.ts';
import { BIDDERS, makeBidderRecord } from '../support/make-bidder-record.ts';
import { LADDER, makeLadderRecord } from '../support/make-ladder-record.ts';
import { conditionUnder, present } from '../support/summaries.ts';

const SWAP = { variant: 'ajv by hand', own: 'own validator' };

function tableOf(parts: Parameters<typeof makeLadderRecord>[0] = {}): LayerTable | null {
  const record = makeLadderRecord(parts);
  return summarizeLayers(conditionUnder(record, 'cost'), { lowest: 'text', swap: SWAP });
}

test('the layers have a gap if a framework has none, or it was not measured', () => {
  const targets = LADDER.filter(({ name }) => name !== 'express-error');
  const table = tableOf({ targets, without: (id) => id.startsWith('nest-json/') });
  // In µs: a whole request of the lowest layer, what the others cost more.
  const costs = table?.rows.map(({ variant, place, cells }) => {
    const isLowest = place === 'lowest';
    return [
      variant,
      ...cells.map((cell) => micro(isLowest ? cell?.cpuNs : cell?.more?.comparison.difference)),
    ];
  });
  expect(costs).toEqual([
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

type Bidding = Parameters<typeof makeBidderRecord>[0];

/** Of single processes, with one slice a launch. */
function decompositionsOf(parts: Bidding = {}) {
  const options = { topologies: ['single' as const], durationS: 18 };
  const record = makeBidderRecord({ options, ...parts });
  return summarizeDecompositions(conditionUnder(record, 'quiet'));
}

function ginIn(table: ReturnType<typeof decompositionsOf>) {
  const found = table?.decompositions.find(({ root }) => root.name === 'gin');
  return present(found, 'gin');
}

test('a decomposition has no sum if a step is missing, and leaves out what was not measured in any way', () => {
  const without = (id: string) => /^gin-(only-)?logged/.test(id);
  const { parts, sums } = ginIn(decompositionsOf({ without }));
  const found = parts.map(({ change, inOrder }) => `${change} ${inOrder !== null}`);
  expect(found).toEqual(['repeated true', 'JSON false', 'random key true']);
  expect(sums).toEqual({ inOrder: null, alone: null });
});

test('a decomposition is none if the whole was not measured', () => {
  const table = decompositionsOf({ without: (id) => id.startsWith('gin-repeated') });
  expect(table?.decompositions.map(({ root }) => root.name)).toEqual(['nest']);
});

test('a decomposition without services has the server as its only role, and without variants there is none', () => {
  const table = decompositionsOf({
    targets: BIDDERS.map((target) => ({ ...target, services: {} })),
  });
  expect(table?.roles).toEqual(['server']);
  expect(table?.decompositions[0]?.whole.costs).toHaveLength(1);
  expect(
    decompositionsOf({ targets: BIDDERS.filter(({ variantOf }) => variantOf === null) }),
  ).toBeNull();
});

test('targets that are no variants stand beside the first one where the one named was not measured', () => {
  const mainsOf = (parts: Bidding) => {
    const record = makeBidderRecord(parts);
    return summarizeMains(conditionUnder(record, 'quiet'), 'nest');
  };
  const targets = BIDDERS.filter(({ name }) => !/^nest(-|$)/.test(name));
  expect(mainsOf({ targets })?.base.name).toBe('gin');
  expect(mainsOf({ without: () => true })).toBeNull();
});
