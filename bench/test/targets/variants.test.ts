import { expect, test } from 'vitest';
import { bridgeGaps, findLayerStacks, floorOf } from '../../src/targets/layers.ts';
import type { LocalTarget } from '../../src/targets/targets.ts';
import { findDecompositions, type VariantStep } from '../../src/targets/variants.ts';
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
  const name = (step: VariantStep | null) => {
    return step ? `${step.target.name} over ${step.over.name}` : 'none';
  };
  const all = decompositions.map(({ whole, parts }) => [
    name(whole),
    ...parts.map(({ change, inOrder, alone }) => `${change}: ${name(inOrder)} / ${name(alone)}`),
  ]);
  const areAloneWhole = decompositions.map(({ isAloneWhole }) => isAloneWhole);
  return { all, areAloneWhole, others: others.map(name) };
}

const onlyA = variant('only-a < root', A, 'only A');
const ab = variant('ab < b', { ...A, ...B }, 'A');
const inSteps = [variant('root'), variant('b < root', B, 'B'), ab];
const steps = [...inSteps, onlyA];
const whole = ['ab over root', 'A: ab over b / only-a over root', 'B: b over root / b over root'];

const FOUND = { all: [whole], areAloneWhole: [true], others: [] };
const UNKNOWN_ALONE = [whole.with(1, 'A: ab over b / none')];
const DIFFERING = { all: UNKNOWN_ALONE, areAloneWhole: [false], others: ['only-a over root'] };
const PARTS = ['A: none / a over root', 'B: none / b over root'];
const DIRECT = { all: [['all over root', ...PARTS]], areAloneWhole: [true] };
const WITHOUT = [
  ...['more over root', 'B: more over without / only-b over root'],
  'without A: without over root / without over root',
];
const OTHER_VALUE = [...inSteps, { ...onlyA, env: { A: '2' } }];
const BY_WORDS = [...inSteps, { ...onlyA, variant: 'A' }].map((each) => ({ ...each, env: {} }));
const AT_ONCE = [
  ...[variant('root'), variant('all < root', { ...A, ...B })],
  ...[variant('a < root', A, 'A'), variant('b < root', B, 'B'), variant('c < root', { C: '1' })],
];
const LEFT_OUT = [
  makeTarget('root', { env: A }),
  ...[variant('without < root', {}, 'without A'), variant('more < without', B, 'B')],
  variant('only-b < root', { ...A, ...B }, 'only B'),
];

test.each<[string, LocalTarget[], object]>([
  ['goes from the variant with the most changes to what is none', steps, FOUND],
  ['tells changes by their variables and values, whatever the words', OTHER_VALUE, DIFFERING],
  ['tells changes without variables by their words', BY_WORDS, { all: [whole] }],
  ['may make all changes at once, if its parts are variants of the same target', AT_ONCE, DIRECT],
  ['counts a variable that a variant leaves out as a change', LEFT_OUT, { all: [WITHOUT] }],
  [
    'does not exist for a target of which only one thing was changed',
    [...steps, variant('other'), variant('x < other', A)],
    { all: [whole], others: ['x over other'] },
  ],
  ['ends where a target was left out of a run', steps.slice(1), { all: [], others: ['ab over b'] }],
])('a decomposition %s', (_, targets, found) => {
  expect(decomposed(targets)).toMatchObject(found);
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
  const unrelated = { over: null, variantOf: null, variant: null };
  expect(ends).toMatchObject([
    { name: 'express', ...unrelated },
    { name: 'express-body', over: 'express', variantOf: 'express', variant: 'all up to body' },
    { name: 'nest-body-ajv', ...unrelated },
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
