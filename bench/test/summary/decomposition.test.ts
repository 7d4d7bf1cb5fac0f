import { expect, test } from 'vitest';
import { summarizeDecompositions } from '../../src/summary/decomposition.ts';
import { summarizeMains } from '../../src/summary/levels.ts';
import { BIDDERS, makeBidderRecord } from '../support/make-bidder-record.ts';
import { conditionUnder, present } from '../support/summaries.ts';

type Parts = Parameters<typeof makeBidderRecord>[0];

/** Of single processes, with one slice a launch. */
function tableOf(parts: Parts = {}) {
  const options = { topologies: ['single' as const], durationS: 18 };
  const record = makeBidderRecord({ options, ...parts });
  return summarizeDecompositions(conditionUnder(record, 'quiet'));
}

function ginIn(table: ReturnType<typeof tableOf>) {
  const found = table?.decompositions.find(({ root }) => root.name === 'gin');
  return present(found, 'gin');
}

test('a decomposition has no sum if a step is missing, and leaves out what was not measured in any way', () => {
  const without = (id: string) => /^gin-(only-)?logged/.test(id);
  const { parts, sums } = ginIn(tableOf({ without }));
  const found = parts.map(({ change, inOrder }) => `${change} ${inOrder !== null}`);
  expect(found).toEqual(['repeated true', 'JSON false', 'random key true']);
  expect(sums).toEqual({ inOrder: null, alone: null });
});

test('a decomposition is none if the whole was not measured', () => {
  const table = tableOf({ without: (id) => id.startsWith('gin-repeated') });
  expect(table?.decompositions.map(({ root }) => root.name)).toEqual(['nest']);
});

test('a decomposition without services has the server as its only role, and without variants there is none', () => {
  const table = tableOf({ targets: BIDDERS.map((target) => ({ ...target, services: {} })) });
  expect(table?.roles).toEqual(['server']);
  expect(table?.decompositions[0]?.whole.costs).toHaveLength(1);
  expect(tableOf({ targets: BIDDERS.filter(({ variantOf }) => variantOf === null) })).toBeNull();
});

test('targets that are no variants stand beside the first one where the one named was not measured', () => {
  const mainsOf = (parts: Parts) => {
    const record = makeBidderRecord(parts);
    return summarizeMains(conditionUnder(record, 'quiet'), 'nest');
  };
  const targets = BIDDERS.filter(({ name }) => !/^nest(-|$)/.test(name));
  expect(mainsOf({ targets })?.base.name).toBe('gin');
  expect(mainsOf({ without: () => true })).toBeNull();
});
