import { describe, expect, test } from 'vitest';
import type { ChangeCost } from '../../src/summary/compare-family.ts';
import { summarizeDecompositions } from '../../src/summary/decomposition.ts';
import { summarizeMains } from '../../src/summary/levels.ts';
import { micro } from '../support/estimates.ts';
import { BIDDERS, makeBidderRecord, USUAL } from '../support/make-bidder-record.ts';
import { conditionUnder, present } from '../support/summaries.ts';

type Parts = Parameters<typeof makeBidderRecord>[0];

/** Of single processes, with one slice a launch. */
function tableOf(parts: Parts = {}) {
  const options = { topologies: ['single' as const], durationS: 18 };
  const record = makeBidderRecord({ options, ...parts });
  return summarizeDecompositions(record, conditionUnder(record, 'quiet'));
}

const USUAL_TABLE = tableOf();

function decompositionOf(name: string, table = USUAL_TABLE) {
  const found = table?.decompositions.find(({ root }) => root.name === name);
  return present(found, name);
}

/** The cost of each role in µs, to a tenth. */
const microOf = (cost: ChangeCost | null | undefined) => {
  return cost?.costs.map(({ comparison }) => micro(comparison.difference)).join(' ') ?? null;
};

describe('a decomposition', () => {
  test('has what each change costs the server, the service and both, on top of the others and alone', () => {
    const { parts, whole } = decompositionOf('gin');
    expect(USUAL_TABLE?.roles).toEqual(['server', 'redis', 'total']);
    const verdictsOf = (cost: ChangeCost | null) => {
      return cost?.costs.map(({ comparison }) => comparison.verdict).join(' ');
    };
    const found = parts.map(({ change, inOrder, alone }) => {
      return [change, microOf(inOrder), microOf(alone), verdictsOf(inOrder)];
    });
    expect(found).toEqual([
      ['repeated', '-40 -15 -55', '-40 -15 -55', 'faster faster faster'],
      ['JSON', '450 20 470', '450 20 470', 'slower slower slower'],
      ['logger', '30 0 30', '30 0 30', 'slower same slower'],
      ['random key', '0 0 0', '0 0 0', 'same same same'],
    ]);
    expect(microOf(whole)).toBe('440 5 445');
  });

  test('adds up to the whole, with no rest if changes do not interact', () => {
    const { sums } = decompositionOf('gin');
    for (const sum of [sums.inOrder, sums.alone]) {
      expect([sum?.sum.map(micro), sum?.rest.map(micro)]).toEqual([
        [440, 5, 445],
        [0, 0, 0],
      ]);
    }
  });

  test('has as its rest what no change alone accounts for', () => {
    const acting = (id: string) => (id.startsWith('gin-repeated/') ? 1.1 : 1);
    const { sums } = decompositionOf('gin', tableOf({ noise: acting }));
    expect(sums.inOrder?.rest.map(micro)).toEqual([0, 0, 0]);
    expect(sums.alone?.rest.map(micro)).toEqual([74, 6.5, 80.5]);
  });

  test('is one for each language', () => {
    const found = USUAL_TABLE?.decompositions.map(({ root, parts }) => [root.name, parts.length]);
    expect(found).toEqual([
      ['gin', 4],
      ['nest', 3],
    ]);
  });

  test('has no sum if a step is missing, and leaves out what was not measured in any way', () => {
    const without = (id: string) => /^gin-(only-)?logged/.test(id);
    const { parts, sums } = decompositionOf('gin', tableOf({ without }));
    const found = parts.map(({ change, inOrder }) => `${change} ${inOrder !== null}`);
    expect(found).toEqual(['repeated true', 'JSON false', 'random key true']);
    expect(sums).toEqual({ inOrder: null, alone: null });
  });

  test('is none if the whole was not measured', () => {
    const table = tableOf({ without: (id) => id.startsWith('gin-repeated') });
    expect(table?.decompositions.map(({ root }) => root.name)).toEqual(['nest']);
  });
});

test('variants in no decomposition stand beside what they are variants of', () => {
  const others = USUAL_TABLE?.others ?? [];
  expect(others.map(({ target, over }) => [target.name, over.name])).toEqual([
    ['gin-one', 'gin'],
    ['gin-2025-random', 'gin-2025'],
    ['gin-2025-repeated', 'gin-2025'],
    ['nest-2025-random', 'nest-2025'],
    ['nest-2025-repeated', 'nest-2025'],
  ]);
  expect(microOf(others[0])).toBe('5 0 5');
});

test('without services the server is the only role, and without variants there is none', () => {
  const table = tableOf({ targets: BIDDERS.map((target) => ({ ...target, services: {} })) });
  expect(table?.roles).toEqual(['server']);
  expect(table?.decompositions[0]?.whole.costs).toHaveLength(1);
  expect(tableOf({ targets: BIDDERS.filter(({ variantOf }) => variantOf === null) })).toBeNull();
});

test('targets that are no variants stand beside the one named or else the first, the cheapest first', () => {
  const mainsOf = (parts: Parts = {}) => {
    const record = makeBidderRecord(parts);
    return summarizeMains(record, conditionUnder(record, 'quiet'), 'nest');
  };
  const table = mainsOf();
  const rows = table?.rows.map(({ summary, cpu, beside }) => {
    const verdicts = beside?.costs.map(({ comparison }) => comparison.verdict);
    return [summary.target.name, cpu.map(micro).join(' '), verdicts?.join(' ') ?? null];
  });
  expect(table?.base.name).toBe('nest');
  expect(rows).toEqual([
    ['gin', '300 60 360', 'faster same faster'],
    ['gin-2025', '300 60 360', 'faster same faster'],
    ['fastify', '380 60 440', 'faster same faster'],
    ['nest', '500 60 560', null],
    ['nest-2025', '500 60 560', 'same same same'],
  ]);
  // Of all servers, variants included: 300 requests/s of 300 + 30 + 450 µs.
  const busy = expect.closeTo(0.234, 6);
  expect(table?.busiest).toMatchObject({ target: { name: 'gin-json' }, busy });
  const targets = BIDDERS.filter(({ name }) => !/^nest(-|$)/.test(name));
  expect(mainsOf({ targets })?.base.name).toBe('gin');
  expect(mainsOf({ without: () => true })).toBeNull();
});

test('the cost of a role is that of its own CPU time', () => {
  const costs = { ...USUAL, redisChanges: { json: 500 } };
  const [, json] = decompositionOf('nest', tableOf({ costs })).parts;
  expect(microOf(json?.inOrder)).toBe('150 500 650');
});
