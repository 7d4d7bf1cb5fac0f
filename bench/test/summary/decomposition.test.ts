import { describe, expect, test } from 'vitest';
import { type Estimate, pointOf } from '../../src/math/statistics.ts';
import {
  type Decomposition,
  type DecompositionTable,
  summarizeDecompositions,
} from '../../src/summary/decomposition.ts';
import type { ChangeCost } from '../../src/summary/role-costs.ts';
import { summarize } from '../../src/summary/summary.ts';
import { BIDDERS, makeBidderRecord, USUAL } from '../support/make-bidder-record.ts';

type Parts = Parameters<typeof makeBidderRecord>[0];

/** One slice a launch, as single processes. */
const options = { topologies: ['single' as const], durationS: 18 };

function tableOf(parts: Parts = {}): DecompositionTable {
  const record = makeBidderRecord({ options, ...parts });
  const quiet = summarize(record).conditions.find(({ load }) => load.id === 'quiet');
  const table = quiet ? summarizeDecompositions(record, quiet) : null;
  if (table === null) throw new Error('there are variants');
  return table;
}

function decompositionOf(name: string, parts: Parts = {}): Decomposition {
  const decomposition = tableOf(parts).decompositions.find(({ root }) => root.name === name);
  if (decomposition === undefined) throw new Error(`no decomposition of ${name}`);
  return decomposition;
}

/** In µs, to a tenth. */
const micro = (estimate: Estimate) => Math.round((pointOf(estimate) ?? Number.NaN) / 100) / 10 + 0;
const microOf = (cost: ChangeCost | null) =>
  cost?.costs.map(({ comparison }) => micro(comparison.difference)) ?? null;

describe('a decomposition', () => {
  test('has what each change costs the server, the service and both, on top of the others and alone', () => {
    const { parts, whole } = decompositionOf('gin');
    expect(tableOf().roles).toEqual(['server', 'redis', 'total']);
    expect(
      parts.map(({ change, inOrder, alone }) => [change, microOf(inOrder), microOf(alone)]),
    ).toEqual([
      ['repeated', [-40, -15, -55], [-40, -15, -55]],
      ['JSON', [450, 20, 470], [450, 20, 470]],
      ['logger', [30, 0, 30], [30, 0, 30]],
      ['random key', [0, 0, 0], [0, 0, 0]],
    ]);
    expect(microOf(whole)).toEqual([440, 5, 445]);
    const verdicts = parts.map(({ inOrder }) =>
      inOrder?.costs.map(({ comparison }) => comparison.verdict),
    );
    expect(verdicts).toEqual([
      ['faster', 'faster', 'faster'],
      ['slower', 'slower', 'slower'],
      ['slower', 'same', 'slower'],
      ['same', 'same', 'same'],
    ]);
  });

  test('comes to the whole, and has nothing over where changes do not act on one another', () => {
    const { sums } = decompositionOf('gin');
    for (const sum of [sums.inOrder, sums.alone]) {
      expect(sum?.sum.map(micro)).toEqual([440, 5, 445]);
      expect(sum?.rest.map(micro)).toEqual([0, 0, 0]);
    }
  });

  test('has what no change alone accounts for as its rest', () => {
    const acting = (id: string) => (id.startsWith('gin-repeated/') ? 1.1 : 1);
    const { sums } = decompositionOf('gin', { noise: acting });
    expect(sums.inOrder?.rest.map(micro)).toEqual([0, 0, 0]);
    expect(sums.alone?.rest.map(micro)).toEqual([74, 6.5, 80.5]);
  });

  test('is one for each language', () => {
    const { decompositions } = tableOf();
    expect(decompositions.map(({ root, parts }) => [root.name, parts.length])).toEqual([
      ['gin', 4],
      ['nest', 3],
    ]);
  });

  test('has no sum where a step is missing, and leaves out what was not measured in any way', () => {
    const { parts, sums } = decompositionOf('gin', {
      without: (id) => /^gin-(only-)?logged/.test(id),
    });
    expect(parts.map(({ change, inOrder }) => [change, inOrder !== null])).toEqual([
      ['repeated', true],
      ['JSON', false],
      ['random key', true],
    ]);
    expect(sums).toEqual({ inOrder: null, alone: null });
  });

  test('is none where the whole was not measured', () => {
    const { decompositions } = tableOf({ without: (id) => id.startsWith('gin-repeated') });
    expect(decompositions.map(({ root }) => root.name)).toEqual(['nest']);
  });
});

test('variants in no decomposition stand beside what they are variants of', () => {
  const { others } = tableOf();
  expect(others.map(({ target, over }) => [target.name, over.name])).toEqual([['gin-one', 'gin']]);
  expect(microOf(others[0] ?? null)).toEqual([5, 0, 5]);
});

test('without services the server is the only role', () => {
  const targets = BIDDERS.map((target) => ({ ...target, services: {} }));
  const { roles, decompositions } = tableOf({ targets });
  expect(roles).toEqual(['server']);
  expect(decompositions[0]?.whole.costs).toHaveLength(1);
});

test('there is none without variants', () => {
  const record = makeBidderRecord({
    targets: BIDDERS.filter(({ variantOf }) => variantOf === null),
  });
  const [quiet] = summarize(record).conditions;
  expect(quiet && summarizeDecompositions(record, quiet)).toBeNull();
});

test('what a role costs is read from its own CPU time', () => {
  const costs = { ...USUAL, redisChanges: { json: 500 } };
  const [, json] = decompositionOf('nest', { costs }).parts;
  expect(microOf(json?.inOrder ?? null)).toEqual([150, 500, 650]);
});
