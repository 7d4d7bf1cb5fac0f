import { describe, expect, test } from 'vitest';
import { bridgeGaps, findLayerStacks, floorOf, type LayerStack } from '../../src/targets/layers.ts';
import { LADDER } from '../support/make-ladder-record.ts';

const only = (...names: string[]) => LADDER.filter(({ name }) => names.includes(name));
const namesOf = ({ layers, branches, swapped }: LayerStack) => ({
  layers: layers.map(({ name }) => name),
  branches: branches.map(({ name }) => name),
  swapped: swapped?.name ?? null,
});

describe('a stack', () => {
  test('is all layers of a framework from the lowest on, with branches and another validator beside', () => {
    expect(findLayerStacks(LADDER, 'ajv by hand').map(namesOf)).toEqual([
      {
        layers: ['express', 'express-json', 'express-body'],
        branches: ['express-error'],
        swapped: null,
      },
      { layers: ['floor', 'floor-json', 'floor-body'], branches: ['floor-error'], swapped: null },
      {
        layers: ['nest', 'nest-json', 'nest-body'],
        branches: ['nest-error'],
        swapped: 'nest-body-ajv',
      },
    ]);
  });

  test('is held against what it stands on in the end', () => {
    const stacks = findLayerStacks(LADDER, 'ajv by hand');
    const floors = stacks.map((stack) => floorOf(stack, stacks)?.layers[0].name);
    expect(floors).toEqual(['floor', 'floor', 'floor']);
  });

  test('is held against nothing where that is left out, or something between is', () => {
    const stacks = findLayerStacks(only('nest', 'floor'), 'ajv by hand');
    expect(stacks.map((stack) => floorOf(stack, stacks)?.layers[0].name)).toEqual([
      'floor',
      undefined,
    ]);
  });
});

describe('bridging', () => {
  test('makes a layer a variant of the nearest one that is there, with all between as its change', () => {
    const ends = bridgeGaps(only('express', 'express-body', 'nest-body-ajv'), LADDER);
    expect(
      ends.map(({ name, over, variantOf, variant }) => [name, over, variantOf, variant]),
    ).toEqual([
      ['express', null, null, null],
      ['express-body', 'express', 'express', 'all up to body'],
      ['nest-body-ajv', null, null, null],
    ]);
  });

  test('has a framework stand on the nearest that is there', () => {
    const [floor, nest] = bridgeGaps(only('nest', 'floor'), LADDER);
    expect([floor?.over, nest?.over]).toEqual([null, 'floor']);
  });

  test('leaves what is whole as it is, the lowest layers first', () => {
    const all = bridgeGaps(LADDER, LADDER);
    expect(all.map(({ name }) => name)).toEqual([
      ...['express', 'floor', 'nest'],
      ...['express-json', 'floor-json', 'nest-json'],
      ...['express-body', 'express-error', 'floor-body', 'floor-error', 'nest-body', 'nest-error'],
      'nest-body-ajv',
    ]);
    expect(all.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual(
      LADDER.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    );
  });
});
