import { describe, expect, test } from 'vitest';
import { bridgeGaps, findLayerStacks, floorOf } from '../../src/targets/layers.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import { type DecompositionPlan, findDecompositions } from '../../src/targets/variants.ts';
import { LADDER } from '../support/make-ladder-record.ts';
import { makeTarget } from '../support/make-record.ts';

/** A variant of the target after `<`, if there is one, with these variables. */
function variant(what: string, env: Record<string, string> = {}, words = what): LocalTarget {
  const [name = '', variantOf = null] = what.split(' < ');
  return makeTarget(name, { env, variantOf, variant: variantOf && words, over: variantOf });
}

const [A, B] = [{ A: '1' }, { B: '1' }];

/** The names in decompositions: each part as `change: in order / alone`. */
function decomposed(targets: LocalTarget[]) {
  const { decompositions, others } = findDecompositions(targets);
  const name = (step: DecompositionPlan['whole'] | null) => {
    return step ? `${step.target.name} over ${step.over.name}` : 'none';
  };
  const all = decompositions.map(({ whole, parts }) => [
    name(whole),
    ...parts.map(({ change, inOrder, alone }) => `${change}: ${name(inOrder)} / ${name(alone)}`),
  ]);
  const areAloneWhole = decompositions.map(({ isAloneWhole }) => isAloneWhole);
  return { all, areAloneWhole, others: others.map(name) };
}

describe('a decomposition', () => {
  const onlyA = variant('only-a < root', A, 'only A');
  const inSteps = [
    variant('root'),
    variant('b < root', B, 'B'),
    variant('ab < b', { ...A, ...B }, 'A'),
  ];
  const steps = [...inSteps, onlyA];
  const whole = ['ab over root', 'A: ab over b / only-a over root', 'B: b over root / b over root'];

  test('goes from the variant with the most changes to what is none, with each change alone', () => {
    expect(decomposed(steps)).toEqual({ all: [whole], areAloneWhole: [true], others: [] });
  });

  test('tells changes by their variables and values, whatever the words', () => {
    expect(decomposed([...inSteps, { ...onlyA, env: { A: '2' } }])).toEqual({
      all: [whole.with(1, 'A: ab over b / none')],
      areAloneWhole: [false],
      others: ['only-a over root'],
    });
  });

  test('tells changes without variables by their words', () => {
    const { all } = decomposed([
      variant('root'),
      variant('b < root', {}, 'B'),
      variant('ab < b', {}, 'A'),
      variant('only-a < root', {}, 'A'),
    ]);
    expect(all[0]?.[1]).toBe('A: ab over b / only-a over root');
  });

  test('may make all changes at once, if its parts are variants of the same target', () => {
    const found = decomposed([
      variant('root'),
      variant('all < root', { ...A, ...B }),
      variant('a < root', A, 'A'),
      variant('b < root', B, 'B'),
      variant('c < root', { C: '1' }),
    ]);
    expect(found).toMatchObject({
      all: [['all over root', 'A: none / a over root', 'B: none / b over root']],
      areAloneWhole: [true],
    });
  });

  test('counts a variable that a variant leaves out as a change', () => {
    const { all } = decomposed([
      makeTarget('root', { env: A }),
      variant('without < root', {}, 'without A'),
      variant('more < without', B, 'B'),
      variant('only-b < root', { ...A, ...B }, 'only B'),
    ]);
    expect(all[0]?.slice(1)).toEqual([
      'B: more over without / only-b over root',
      'without A: without over root / without over root',
    ]);
  });

  test('exists for each target that is no variant, unless only one thing was changed', () => {
    const { all, others } = decomposed([...steps, variant('other'), variant('x < other', A)]);
    expect(all).toHaveLength(1);
    expect(others).toEqual(['x over other']);
  });

  test('ends where a target was left out of a run', () => {
    const { all, others } = decomposed(steps.filter(({ name }) => name !== 'root'));
    expect({ all, others }).toEqual({ all: [], others: ['ab over b'] });
  });
});

const SWAP = 'ajv by hand';
const only = (...names: string[]) => LADDER.filter(({ name }) => names.includes(name));

test('a stack has all layers of a framework, with branches and another validator beside them', () => {
  const stacks = findLayerStacks(LADDER, SWAP).map(({ layers, branches, swapped }) => {
    const [own, beside] = [layers, branches].map((all) => all.map(({ name }) => name).join());
    return [own, beside, swapped?.name ?? null];
  });
  expect(stacks).toEqual([
    ['express,express-json,express-body', 'express-error', null],
    ['floor,floor-json,floor-body', 'floor-error', null],
    ['nest,nest-json,nest-body', 'nest-error', 'nest-body-ajv'],
  ]);
});

test.each([
  ['the last one it is built on', LADDER, ['floor', 'floor', 'floor']],
  ['none, if a stack between is left out', only('nest', 'floor'), ['floor', undefined]],
])('the floor of a stack is %s', (_, targets, floors) => {
  const stacks = findLayerStacks(targets, SWAP);
  expect(stacks.map((stack) => floorOf(stack, stacks)?.layers[0].name)).toEqual(floors);
});

test('bridging makes a layer a variant of the nearest below, with all between as its change', () => {
  const ends = bridgeGaps(only('express', 'express-body', 'nest-body-ajv'), LADDER);
  expect(
    ends.map(({ name, over, variantOf, variant }) => [name, over, variantOf, variant]),
  ).toEqual([
    ['express', null, null, null],
    ['express-body', 'express', 'express', 'all up to body'],
    ['nest-body-ajv', null, null, null],
  ]);
  const [floor, nest] = bridgeGaps(only('nest', 'floor'), LADDER);
  expect([floor?.over, nest?.over]).toEqual([null, 'floor']);
});

test('bridging leaves what is whole as it is, the lowest layers first', () => {
  const all = bridgeGaps(LADDER, LADDER);
  expect(all.map(({ name }) => name)).toEqual([
    ...['express', 'floor', 'nest'],
    ...['express-json', 'floor-json', 'nest-json'],
    ...['express-body', 'express-error', 'floor-body', 'floor-error', 'nest-body', 'nest-error'],
    'nest-body-ajv',
  ]);
  const byName = (targets: LocalTarget[]) => targets.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  expect(byName(all)).toEqual(byName(LADDER));
});
